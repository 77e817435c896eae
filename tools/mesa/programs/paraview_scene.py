# A view of ParaView: contours of a wave, coloured by it, in a frame with axes.
# SPDX-License-Identifier: MIT
from paraview import simple

wave = simple.Wavelet()
contour = simple.Contour(Input=wave, ContourBy=["POINTS", "RTData"], Isosurfaces=[100.0, 150.0, 200.0])
view = simple.GetActiveViewOrCreate("RenderView")
shown = simple.Show(contour, view)
simple.ColorBy(shown, ("POINTS", "RTData"))
shown.Opacity = 0.6
simple.Show(wave, view).SetRepresentationType("Outline")
view.AxesGrid.Visibility = 1
simple.ResetCamera(view)
simple.Render(view)
