import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import fc from "fast-check"
import { FrameReader, fitsFrame, frameBytes, packFrames, packPart, pingFrame, pongFrame } from "../link/Frames.ts"
import { plainShape } from "../link/OperationKey.ts"

/** Feeds bytes to a reader in chunks that end at the cuts. Returns what arrived; undefined for bytes that are no frames. */
const readCut = (bytes: Buffer, cuts: ReadonlyArray<number>) => {
  const arrived: Array<unknown> = []
  const reader = new FrameReader({
    messages: (messages) => void arrived.push(...messages),
    ping: () => void arrived.push("ping")
  })
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const end of [...ends, bytes.length]) {
    if (!reader.push(bytes.subarray(from, end))) return undefined
    from = end
  }
  return arrived
}

/** Packs a message as its parts. */
const inParts = (number: number, message: unknown): Array<Buffer> => {
  const bytes = Buffer.from(JSON.stringify(message))
  const frames: Array<Buffer> = []
  for (let from = 0; from < bytes.length; ) {
    const { frame, to } = packPart(number, bytes, from)
    frames.push(frame)
    from = to
  }
  return frames
}

describe("Frames of a link", () => {
  it("arrive whole and in order, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.jsonValue(), { maxLength: 6 }), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (turns, cuts) => {
          const frames = turns.flatMap((turn) => [
            ...packFrames(turn.map((message) => JSON.stringify(message))),
            pingFrame,
            pongFrame
          ])
          const expected = turns.flatMap((turn) => [
            ...turn.map((message) => JSON.parse(JSON.stringify(message))),
            "ping"
          ])
          // Integers that a number cannot hold keep their digits, so the texts are compared.
          assert.strictEqual(JSON.stringify(readCut(Buffer.concat(frames), cuts)), JSON.stringify(expected))
        }
      )
    )
  })

  it("are refused as parts that their sender did not fill, which cost a reader more memory than they bring", () => {
    const part = (content: number, kind: number) => {
      const frame = Buffer.alloc(5 + 4 + content)
      frame.writeUInt32BE(4 + content, 0)
      frame[4] = kind
      return frame
    }
    for (const content of [0, 1, frameBytes - 5]) assert.isUndefined(readCut(part(content, 1), []))
    assert.deepStrictEqual(readCut(part(frameBytes - 4, 1), []), [])
  })

  it("hold no more than their cap, and a message that fits one is never cut", () => {
    const texts = Array.from({ length: 40 }, (_, i) => JSON.stringify("ü".repeat(i * 300)))
    const frames = packFrames(texts)
    assert.isAbove(frames.length, 1)
    for (const frame of frames) assert.isAtMost(frame.length, frameBytes + 5)
    assert.deepStrictEqual(
      readCut(Buffer.concat(frames), []),
      texts.map((text) => JSON.parse(text))
    )
    const longest = JSON.stringify("x".repeat(frameBytes - 4))
    assert.isTrue(fitsFrame(longest.length))
    assert.deepStrictEqual(readCut(Buffer.concat(packFrames([longest])), []), [JSON.parse(longest)])
  })

  it("carry long messages in parts that mix with each other and with short messages, cut anywhere", () => {
    const [first, second] = ["ä".repeat(100_000), "b".repeat(150_000)]
    const [ofFirst, ofSecond] = [inParts(1, first), inParts(2, second)]
    const mixed = ofFirst.flatMap((frame, at) => [
      frame,
      ...packFrames([String(at)]),
      ...(ofSecond[at] ? [ofSecond[at]] : [])
    ])
    const bytes = Buffer.concat(mixed)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 10 }), (cuts) => {
        const arrived = readCut(bytes, cuts)
        assert.sameMembers(arrived as Array<unknown>, [first, second, ...ofFirst.keys()])
        assert.strictEqual(arrived?.[0], 0)
      }),
      { numRuns: 20 }
    )
  })

  it("are refused when they are longer than the cap, of another kind, or hold no list of messages", () => {
    const head = (length: number, kind: number) => {
      const bytes = Buffer.alloc(5)
      bytes.writeUInt32BE(length)
      bytes[4] = kind
      return bytes
    }
    for (const bytes of [
      head(frameBytes + 1, 0),
      head(0, 9),
      Buffer.concat([head(2, 0), Buffer.from("{}")]),
      Buffer.concat([head(3, 0), Buffer.from("[1,")]),
      head(0, 1),
      Buffer.from('{"_tag":"Pong"}\n')
    ])
      assert.isUndefined(readCut(bytes, []))
  })
})

describe("The shape of what a link carries", () => {
  it("is told for what JSON carries as it is, the same for the same members in any order", () => {
    const one = Schema.Struct({ a: Schema.String, b: Schema.optional(Schema.Int), c: Schema.Literals(["x", "y"]) })
    const other = Schema.Struct({ c: Schema.Literals(["x", "y"]), b: Schema.optional(Schema.Int), a: Schema.String })
    assert.isDefined(plainShape(one))
    assert.strictEqual(plainShape(one), plainShape(other))
  })

  it("differs where a release adds a member, asks for one, or names other literals", () => {
    const shapes = [
      Schema.Struct({ a: Schema.String }),
      Schema.Struct({ a: Schema.optional(Schema.String) }),
      Schema.Struct({ a: Schema.NullOr(Schema.String) }),
      Schema.Struct({ a: Schema.String, b: Schema.String }),
      Schema.Struct({ a: Schema.Literal("x") }),
      Schema.Struct({ a: Schema.Array(Schema.String) }),
      Schema.Record(Schema.String, Schema.String),
      Schema.Void
    ].map(plainShape)
    assert.notInclude(shapes, undefined)
    assert.strictEqual(new Set(shapes).size, shapes.length)
  })

  it("is unknown for values that JSON would change", () => {
    for (const schema of [
      Schema.Date,
      Schema.Uint8Array,
      Schema.BigInt,
      Schema.Struct({ at: Schema.DateTimeUtc }),
      Schema.Array(Schema.UndefinedOr(Schema.String))
    ])
      assert.isUndefined(plainShape(schema))
  })
})
