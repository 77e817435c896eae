// A solid for OpenSCAD's view: differences, which it draws by OpenCSG with the stencil buffer and framebuffer objects.
// SPDX-License-Identifier: MIT
difference() {
    union() {
        color("tomato") cube(20, center = true);
        color("gold") cylinder(h = 40, r = 6, center = true, $fn = 48);
    }
    color("teal") sphere(12.5, $fn = 64);
    rotate([90, 20, 0]) cylinder(h = 50, r = 4, center = true, $fn = 32);
}
translate([26, 0, 0]) intersection() {
    sphere(11, $fn = 48);
    cube(17, center = true);
}
