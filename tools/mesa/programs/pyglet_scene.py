#!/usr/bin/env python3
# A window of pyglet: its own shapes, text and sprites, by its OpenGL 2.1 renderer.
# SPDX-License-Identifier: MIT
import pyglet


def main():
    window = pyglet.window.Window(640, 480, "pyglet")
    batch = pyglet.graphics.Batch()
    shapes = [pyglet.shapes.Circle(100 + 90 * i, 240 + 60 * (i % 2), 50, color=(40 * i, 200 - 30 * i, 160), batch=batch)
              for i in range(6)]
    shapes += [pyglet.shapes.Line(40, 60 + 12 * i, 600, 40 + 20 * i, width=1 + i, batch=batch) for i in range(5)]
    for i, shape in enumerate(shapes):
        shape.opacity = 150 + 8 * i
    pattern = pyglet.image.CheckerImagePattern((255, 80, 0, 255), (20, 20, 90, 255))
    sprite = pyglet.sprite.Sprite(pattern.create_image(96, 96), 480, 340, batch=batch)
    sprite.rotation = 20
    label = pyglet.text.Label("OpenGL by pyglet", font_size=28, x=30, y=420, batch=batch)

    @window.event
    def on_draw():
        window.clear()
        batch.draw()

    pyglet.clock.schedule(lambda _: None)
    pyglet.app.run()
    return label


if __name__ == "__main__":
    main()
