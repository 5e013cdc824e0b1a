/** Values of ASN.1 in their DER form, as many as certificates and key files need. */

const tagged = (tag: number, content: Buffer): Buffer => {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length]), bytes, content])
}

export const sequence = (...parts: ReadonlyArray<Buffer>): Buffer => tagged(0x30, Buffer.concat(parts))

export const set = (...parts: ReadonlyArray<Buffer>): Buffer => tagged(0x31, Buffer.concat(parts))

export const octets = (content: Buffer): Buffer => tagged(0x04, content)

export const bits = (content: Buffer, unused = 0): Buffer =>
  tagged(0x03, Buffer.concat([Buffer.from([unused]), content]))

export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text))

export const yes: Buffer = tagged(0x01, Buffer.from([0xff]))

export const nothing: Buffer = tagged(0x05, Buffer.alloc(0))

/** Returns a value under an explicit tag of its context. */
export const explicit = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer =>
  tagged(0xa0 | tag, Buffer.concat(parts))

/** Returns the bytes of a simple value under an implicit tag of its context. */
export const implicit = (tag: number, content: Buffer): Buffer => tagged(0x80 | tag, content)

/** Returns a positive whole number of these bytes, which begin with its highest. */
export const integer = (bytes: Buffer): Buffer =>
  tagged(0x02, ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]))

export const small = (value: number): Buffer => {
  const digits = value.toString(16)
  return integer(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex"))
}

/** Returns an instant, in epoch milliseconds, to the second. */
export const time = (millis: number): Buffer => {
  const written = new Date(millis).toISOString().replaceAll(/[-:T]|\.\d+/g, "")
  return millis < Date.UTC(2050) ? tagged(0x17, Buffer.from(written.slice(2))) : tagged(0x18, Buffer.from(written))
}

/** Returns an object identifier such as `2.5.4.3`. */
export const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number)
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

const base128 = (value: number): ReadonlyArray<number> => {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f))
  return bytes
}
