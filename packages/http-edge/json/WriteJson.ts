import { type Slices, sliceBytes, sliceLength } from "@carteiro/owners/Slices.ts"
import { isDigitNumber } from "@carteiro/tables/StoredJson.ts"

/** The way in which a value is written; no value nests deeper than a body may. */
export interface JsonStyle {
  /** The text of a value that is small enough for one slice. */
  readonly write: (value: unknown) => string
  /** The names of an object's members in the order in which they are written. */
  readonly names: (object: object) => ReadonlyArray<string>
}

/** Writes like `JSON.stringify`: a member without a value is left out. */
const plain: JsonStyle = {
  write: (value) => JSON.stringify(value),
  names: (object) => Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Returns the text that `JSON.stringify` gives for lists, objects and the other JSON values. */
export function* stringifyInSlices(value: unknown): Slices<string> {
  let text = ""
  yield* writeInSlices(value, plain, (piece) => {
    text += piece
  })
  return text
}

/** Emits the text of a value in pieces, part by part. */
export function* writeInSlices(value: unknown, style: JsonStyle, add: (piece: string) => void): Slices<void> {
  const pieces = new Pieces(add)
  yield* writeValue(value, style, pieces)
  pieces.flush()
}

/** The characters of one piece. */
const pieceLength = 16_384

/** Emits text in pieces of some length. */
class Pieces {
  private readonly add: (piece: string) => void
  private text = ""
  private written = 0

  constructor(add: (piece: string) => void) {
    this.add = add
  }

  push(text: string): void {
    this.text += text
    this.written += text.length
    if (this.text.length >= pieceLength) this.flush()
  }

  flush(): void {
    if (this.text !== "") this.add(this.text)
    this.text = ""
  }

  /** True when a part's worth of text was written since it was last true. */
  isSliceOver(): boolean {
    if (this.written < sliceBytes) return false
    this.written = 0
    return true
  }
}

function* writeValue(value: unknown, style: JsonStyle, pieces: Pieces): Slices<void> {
  if (typeof value === "string" && value.length > sliceBytes) yield* writeText(value, pieces)
  else if (isSmall(value)) pieces.push(style.write(value))
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      pieces.push(at === 0 ? "[" : ",")
      yield* writeMember(item, style, pieces)
    }
    pieces.push("]")
  } else {
    const object = value as Readonly<Record<string, unknown>>
    for (const [at, name] of style.names(object).entries()) {
      pieces.push(`${at === 0 ? "{" : ","}${JSON.stringify(name)}:`)
      yield* writeMember(object[name], style, pieces)
    }
    pieces.push("}")
  }
}

function* writeMember(value: unknown, style: JsonStyle, pieces: Pieces): Slices<void> {
  if (isShort(value)) pieces.push(style.write(value))
  else yield* writeValue(value, style, pieces)
  if (pieces.isSliceOver()) yield undefined
}

function* writeText(text: string, pieces: Pieces): Slices<void> {
  pieces.push('"')
  let from = 0
  while (from < text.length) {
    let to = Math.min(from + sliceBytes, text.length)
    // A surrogate pair is one character.
    if (to < text.length && isLowSurrogate(text.charCodeAt(to))) to++
    pieces.push(JSON.stringify(text.slice(from, to)).slice(1, -1))
    from = to
    if (pieces.isSliceOver()) yield undefined
  }
  pieces.push('"')
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

const isShort = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= pieceLength : typeof value !== "object" || value === null

/** True when a value has few members, all of them short. */
const isSmall = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || isDigitNumber(value)) return true
  const members = Object.values(value)
  return members.length <= sliceLength && members.every(isTiny)
}

const isTiny = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= sliceBytes / sliceLength : typeof value !== "object" || value === null
