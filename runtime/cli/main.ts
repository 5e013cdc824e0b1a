#!/usr/bin/env -S node --max-semi-space-size=1
import { keepCompiledCode } from "../boot/CompiledCode.ts"

// Imports are loaded before the first line runs: this file has one, so that the others are kept.
keepCompiledCode()
await import("./Operator.ts")
