// A window of Qt Quick of Qt 5: a shader of GLSL, layers, particles and a turning item.
// SPDX-License-Identifier: MIT
import QtQuick 2.15
import QtQuick.Window 2.15

Window {
    width: 640; height: 480; visible: true; title: "Qt Quick of Qt 5"; color: "#102030"
    ShaderEffect {
        anchors { fill: parent; margins: 20 }
        property real phase: turning.rotation / 60
        fragmentShader: "
            varying highp vec2 qt_TexCoord0;
            uniform lowp float qt_Opacity;
            uniform highp float phase;
            void main() {
                highp vec2 p = 8.0 * (qt_TexCoord0 - 0.5);
                highp float v = sin(p.x + phase) + sin(p.y * 1.3) + sin(length(p) * 2.0 - phase);
                gl_FragColor = vec4(0.5 + 0.3 * sin(v), 0.4 + 0.2 * cos(v), 0.6, 1.0) * qt_Opacity;
            }"
    }
    Item {
        anchors.centerIn: parent; width: 300; height: 200
        layer { enabled: true; smooth: true }
        Rectangle { anchors.fill: parent; radius: 30; color: "#80ffffff"; border { width: 4; color: "white" } }
        Text { anchors.centerIn: parent; text: "Qt 5"; font.pixelSize: 90; color: "#204060" }
    }
    Rectangle {
        id: turning
        x: 40; y: 40; width: 80; height: 80; color: "#e0c040"; antialiasing: true
        NumberAnimation on rotation { from: 0; to: 360; duration: 4000; loops: Animation.Infinite }
    }
}
