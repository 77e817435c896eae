# Sources of the execution half of the room: arithmetic, interpreter, validator.
target_sources(valkyr_isa PRIVATE
  arith_exponent.cpp
  arith_special.cpp
  executable.cpp
  interpret_atomic.cpp
  interpret_convert.cpp
  interpret_float.cpp
  interpret_flow.cpp
  interpret_fragment.cpp
  interpret_input.cpp
  interpret_integer.cpp
  interpret_lanes.cpp
  interpret_memory.cpp
  interpret_message.cpp
  interpret_operands.cpp
  interpret_select.cpp
  interpret_shift.cpp
  interpret_special.cpp
  interpret_table.cpp
  interpret_texture.cpp
  interpreter.cpp
  interpreter_hazards.cpp
  interpreter_run.cpp
  interpreter_stages.cpp
  register_access.cpp)
