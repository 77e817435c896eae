#!/usr/bin/env python3
# A window of VTK with one of its renderings that need OpenGL 3.2: edges, tubes, peeling, ambient occlusion, samples.
# SPDX-License-Identifier: MIT
import sys

import vtk


def actor(source, **properties):
    """An actor of a source's polygons; properties by the names of vtkProperty's setters."""
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    made = vtk.vtkActor()
    made.SetMapper(mapper)
    for name, value in properties.items():
        getattr(made.GetProperty(), "Set" + name)(value)
    return made


def sphere(x=0.0, y=0.0, z=0.0, radius=1.0, steps=24):
    source = vtk.vtkSphereSource()
    source.SetCenter(x, y, z)
    source.SetRadius(radius)
    source.SetThetaResolution(steps)
    source.SetPhiResolution(steps)
    return source


def edges(renderer, window):
    """Polygons with their edges, which a geometry shader finds."""
    renderer.AddActor(actor(sphere(-0.8), EdgeVisibility=1, EdgeColor=(0, 0, 0), LineWidth=1.5, Color=(0.9, 0.6, 0.3)))
    renderer.AddActor(actor(vtk.vtkSuperquadricSource(), EdgeVisibility=1, EdgeColor=(1, 1, 1), Color=(0.2, 0.4, 0.8)))


def tubes(renderer, window):
    """Lines drawn as tubes and points drawn as spheres."""
    line = vtk.vtkLineSource()
    line.SetPoints(helix())
    renderer.AddActor(actor(line, LineWidth=14, RenderLinesAsTubes=1, Color=(0.9, 0.4, 0.4)))
    renderer.AddActor(actor(line, Representation=0, PointSize=26, RenderPointsAsSpheres=1, Color=(0.4, 0.8, 0.5)))


def helix():
    import math
    points = vtk.vtkPoints()
    for i in range(40):
        points.InsertNextPoint(math.cos(i * 0.4), i * 0.05 - 1, math.sin(i * 0.4))
    return points


def peeling(renderer, window):
    """Translucent spheres in any order: dual depth peeling."""
    window.SetAlphaBitPlanes(1)
    renderer.SetUseDepthPeeling(1)
    renderer.SetMaximumNumberOfPeels(20)
    for i, color in enumerate([(1, 0.2, 0.2), (0.2, 1, 0.2), (0.3, 0.4, 1), (1, 1, 0.2)]):
        renderer.AddActor(actor(sphere(0.5 * i - 0.75, 0.2 * (i % 2), -0.3 * i), Color=color, Opacity=0.4))


def ssao(renderer, window):
    """Screen-space ambient occlusion over a floor of spheres."""
    for x in range(-3, 4):
        for z in range(-3, 4):
            renderer.AddActor(actor(sphere(0.5 * x, 0, 0.5 * z, 0.27, 16), Color=(0.9, 0.9, 0.85)))
    occlusion = vtk.vtkSSAOPass()
    occlusion.SetRadius(0.4)
    occlusion.SetKernelSize(64)
    occlusion.SetDelegatePass(vtk.vtkRenderStepsPass())
    renderer.SetPass(occlusion)


def samples(renderer, window):
    """Wireframe and thin polygons with 8 samples."""
    window.SetMultiSamples(8)
    renderer.AddActor(actor(sphere(-0.7), Representation=1, Color=(0.9, 0.9, 0.2)))
    renderer.AddActor(actor(vtk.vtkConeSource(), Color=(0.3, 0.8, 0.9)))


SCENES = {"edges": edges, "tubes": tubes, "peeling": peeling, "ssao": ssao, "samples": samples}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in SCENES:
        sys.exit("usage: vtk_scene.py " + "|".join(SCENES))
    window = vtk.vtkRenderWindow()
    window.SetSize(640, 480)
    window.SetMultiSamples(0)
    renderer = vtk.vtkRenderer()
    renderer.SetBackground(0.15, 0.2, 0.3)
    window.AddRenderer(renderer)
    SCENES[sys.argv[1]](renderer, window)
    renderer.ResetCamera()
    renderer.GetActiveCamera().Azimuth(25)
    renderer.GetActiveCamera().Elevation(20)
    while True:
        window.Render()


if __name__ == "__main__":
    main()
