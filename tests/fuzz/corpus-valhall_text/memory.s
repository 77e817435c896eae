LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0
SHADDX.u64 r6, r4, r2.w0, shift:0x4
STORE.i128.istream.slot0 @r0:r1:r2:r3, ^r6, offset:-0x20
ATOM_RETURN.i32.slot0.compare.axchg @r8, @r10:r11, r6, offset:0x4
ATOM1_RETURN.i64.slot0.ainc @, r6, offset:0
LSHIFT_OR.i32 r0, r1, 0x3020100.b22, r2.not
MKVEC.v2i8 r0.h1, r1.b3, 0x0.b0, 0x0
