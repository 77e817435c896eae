LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, r61, index:0x0
TEX_SINGLE.slot1.f.32.2d.computed.wait1 @r0:r1:r2:r3, @r0:r1, u0
FMA.f32 r3, r3, thread_local_pointer.w0, r2.abs
NOP.wait0126
ATEST.wait0 @r60, r60, r3, atest_datum.w0
NOP.wait
BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0
