FOO r0
x: x:
FADD.f32 r0, u0, u2
MOV.i32.clamp_0_1 r99, @r0
BRANCHZ r0, offset:nowhere
