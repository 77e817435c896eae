// A solid of gmsh: a box without two spheres, with the mesh of its faces.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 2, 1, 1};
Sphere(2) = {0, 0.5, 0.5, 0.4};
Sphere(3) = {2, 1, 1, 0.6};
BooleanDifference(4) = { Volume{1}; Delete; }{ Volume{2, 3}; Delete; };
Mesh.MeshSizeMax = 0.1;
Mesh 2;
