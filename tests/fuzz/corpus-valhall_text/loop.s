# Sums r1 ten times, with labels.
    IADD_IMM.i32 r0, 0x0, #10
loop:
    FADD.f32.clamp_0_1 r1, ^r1.neg.h1, 0x3F800000
    IADD_IMM.i32 r0, r0, #0xFFFFFFFF
    BRANCHZ.reconverge r0.h0, offset:loop
    BRANCHZ.eq.reconverge 0x0, offset:done
done: NOP.end
