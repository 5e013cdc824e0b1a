import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** Returns the types of rows and parameters that differ from the driver's own; see `layer` in `Sql.ts`. */
export const rowTypes = (): PgTypes.Registry => {
  const registry = PgTypes.makeRegistry()
  registry.register(PgTypes.OID.int8, int8, { arrayOid: PgTypes.OID.int8Array })
  registry.register(PgTypes.OID.timestamptz, timestamptz, { arrayOid: PgTypes.OID.timestamptzArray })
  return registry
}

/** Makes a codec of eight bytes from functions that write and read them as two halves. */
const eightBytes = <A>(halves: {
  readonly toInt64: (value: A) => bigint | undefined
  readonly read: (high: number, low: number) => A
  readonly refusal: string
}): PgTypes.Codec<A> => {
  const refused = Result.fail(new PgTypes.CodecError({ message: halves.refusal }))
  const read = (bytes: Uint8Array, offset: number): A =>
    halves.read(int32At(bytes, offset), int32At(bytes, offset + 4) >>> 0)
  return {
    encode: (value) => {
      const big = halves.toInt64(value)
      if (big === undefined) return refused
      const bytes = new Uint8Array(8)
      new DataView(bytes.buffer).setBigInt64(0, big)
      return Result.succeed(bytes)
    },
    decode: (bytes) => Result.succeed(read(bytes, 0)),
    read: (bytes, offset) => Result.succeed(read(bytes, offset)),
    write: (sink, value) => {
      const big = halves.toInt64(value)
      if (big === undefined) return refused
      sink.bigInt64(big)
      return Result.void
    }
  }
}

// Shifts cost less than a view made for each value.
const int32At = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 24) |
  ((bytes[at + 1] as number) << 16) |
  ((bytes[at + 2] as number) << 8) |
  (bytes[at + 3] as number)

const halfRange = 4_294_967_296

// Counters, positions and amounts fit a double exactly; a bigint would break JSON and arithmetic at every use.
const int8 = eightBytes<number | bigint>({
  toInt64: (value) => {
    if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined
    return BigInt.asIntN(64, value) === value ? value : undefined
  },
  read: (high, low) => {
    const value = high * halfRange + low
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low)
  },
  refusal: "Expected a safe integer or a 64 bit bigint for int8"
})

/** PostgreSQL counts microseconds from the first instant of 2000. */
const epochMillis = Date.UTC(2000, 0, 1)
const infinity = (1n << 63n) - 1n
/** The largest distance from 1970 of a JavaScript date. */
const farthest = 8.64e15

// All code counts in whole milliseconds: the clock, ids, timers, the wire.
const timestamptz = eightBytes<number | Date>({
  toInt64: (value) => {
    const millis = typeof value === "number" ? value : value.getTime()
    if (millis === Number.POSITIVE_INFINITY) return infinity
    if (millis === Number.NEGATIVE_INFINITY) return -infinity - 1n
    return Math.abs(millis) <= farthest ? BigInt(Math.trunc(millis) - epochMillis) * 1000n : undefined
  },
  read: (high, low) => {
    if (high === 0x7fff_ffff && low === 0xffff_ffff) return Number.POSITIVE_INFINITY
    if (high === -0x8000_0000 && low === 0) return Number.NEGATIVE_INFINITY
    return Math.floor((high * halfRange + low) / 1000) + epochMillis
  },
  refusal: "Expected epoch milliseconds for timestamptz"
})
