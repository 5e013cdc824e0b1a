import { timingSafeEqual } from "node:crypto"
import { InvalidCursor } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Context, Effect, Layer } from "effect"

const version = 1
const tagLength = 16
const maximumLength = 512
const largestField = 255

/**
 * Makes and reads opaque positions in lists: base64url of version, route, environment and position, each field behind
 * its length, then 16 bytes of HMAC-SHA256. A cursor holds a position and no expiry. A-CONV-17, gaps-1 A "Cursor
 * format"
 */
export class Cursors extends Context.Service<
  Cursors,
  {
    /**
     * Returns a cursor. `scopeId` is the environment, or another owner of the list; `position` is the last row's sort
     * values, its id last.
     */
    encode(route: string, scopeId: string, position: ReadonlyArray<string>): string
    /**
     * Returns the position if this route made the cursor for this scope; `param` names the query parameter. A-CONV-18
     */
    decode(
      route: string,
      scopeId: string,
      cursor: string,
      param?: string
    ): Effect.Effect<ReadonlyArray<string>, InvalidCursor>
  }
>()("@carteiro/http-edge/paging/Cursors") {
  static readonly layer = Layer.effect(
    Cursors,
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const read = (route: string, scopeId: string, cursor: string): ReadonlyArray<string> | undefined => {
        if (cursor.length === 0 || cursor.length > maximumLength) return undefined
        const bytes = Buffer.from(cursor, "base64url")
        // Decoding is lenient (padding, stray characters): only the exact spelling that `encode` makes is accepted.
        if (bytes.length <= tagLength || bytes.toString("base64url") !== cursor) return undefined
        const signed = bytes.subarray(0, -tagLength)
        const tag = bytes.subarray(-tagLength)
        const genuine = secrets.macs("cursor", signed).some((mac) => timingSafeEqual(mac.subarray(0, tagLength), tag))
        if (!genuine || signed[0] !== version) return undefined
        const [madeFor, owner, ...position] = unpack(signed)
        return madeFor === route && owner === scopeId ? position : undefined
      }
      return Cursors.of({
        encode: (route, scopeId, position) => {
          const signed = pack([route, scopeId, ...position])
          return Buffer.concat([signed, secrets.mac("cursor", signed).subarray(0, tagLength)]).toString("base64url")
        },
        decode: (route, scopeId, cursor, param = "starting_after") => {
          const position = read(route, scopeId, cursor)
          return position === undefined ? Effect.fail(new InvalidCursor({ param })) : Effect.succeed(position)
        }
      })
    })
  )
}

const pack = (fields: ReadonlyArray<string>): Buffer => {
  const parts: Array<Uint8Array> = [Uint8Array.of(version)]
  for (const field of fields) {
    const bytes = Buffer.from(field, "utf8")
    if (bytes.length > largestField) throw new RangeError("a list position must fit a cursor")
    parts.push(Uint8Array.of(bytes.length), bytes)
  }
  const signed = Buffer.concat(parts)
  if ((signed.length + tagLength) * 4 > maximumLength * 3) throw new RangeError("a list position must fit a cursor")
  return signed
}

const unpack = (signed: Buffer): ReadonlyArray<string> => {
  const fields: Array<string> = []
  let at = 1
  while (at < signed.length) {
    const length = signed[at] ?? 0
    fields.push(signed.toString("utf8", at + 1, at + 1 + length))
    at += 1 + length
  }
  return fields
}
