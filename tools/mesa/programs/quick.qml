// A window of Qt Quick, drawn by Qt's RHI: gradients, text, rotated and layered items, clips, a canvas, particles' blend.
// SPDX-License-Identifier: MIT
import QtQuick
import QtQuick.Window

Window {
    width: 640; height: 480; visible: true; title: "Qt Quick"
    Rectangle {
        anchors.fill: parent
        gradient: Gradient {
            GradientStop { position: 0.0; color: "#203050" }
            GradientStop { position: 0.6; color: "#8060a0" }
            GradientStop { position: 1.0; color: "#f0c080" }
        }
    }
    Repeater {
        model: 24
        Rectangle {
            required property int index
            x: 40 + (index % 8) * 70; y: 40 + Math.floor(index / 8) * 70; width: 52; height: 52
            radius: index; rotation: index * 7; antialiasing: true
            color: Qt.hsva(index / 24, 0.6, 0.9, 0.75); border { width: index % 4; color: "white" }
        }
    }
    Item {
        x: 60; y: 270; width: 240; height: 120; clip: true; rotation: 4
        Text { text: "Valhall by RHI"; font.pixelSize: 54; color: "white"; style: Text.Outline; styleColor: "#402020" }
        Text { y: 64; text: "distance fields"; font.pixelSize: 30; color: "#ffe0a0"; renderType: Text.QtRendering }
    }
    Item {
        x: 360; y: 260; width: 220; height: 180; opacity: 0.7
        layer { enabled: true; samples: 4; smooth: true; mipmap: true }
        transform: Rotation { axis { x: 0.4; y: 1; z: 0.1 } angle: 35; origin { x: 110; y: 90 } }
        Rectangle { anchors.fill: parent; color: "#206040" }
        Rectangle { x: 30; y: 30; width: 120; height: 90; rotation: 20; color: "#e0e040" }
        Text { anchors.centerIn: parent; text: "layer"; font.pixelSize: 40 }
    }
    Canvas {
        x: 40; y: 400; width: 280; height: 70
        onPaint: {
            const context = getContext("2d");
            context.lineWidth = 3;
            for (let i = 0; i < 8; ++i) {
                context.strokeStyle = Qt.hsva(i / 8, 0.5, 1, 1);
                context.beginPath();
                context.moveTo(0, 8 * i);
                context.bezierCurveTo(90, 120 - 16 * i, 180, 12 * i - 60, 280, 60 - 7 * i);
                context.stroke();
            }
        }
    }
    // One frame after the other; the picture stands still.
    Rectangle {
        width: 1; height: 1; color: "#203050"
        NumberAnimation on rotation { from: 0; to: 360; duration: 1000; loops: Animation.Infinite }
    }
}
