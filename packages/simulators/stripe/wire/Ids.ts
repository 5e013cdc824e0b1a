import { createHmac, randomBytes } from "node:crypto"

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const lettersOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => letters[byte % letters.length]).join("")

/** The letters at an id's end that prove where it was made. */
const proofLength = 6

/**
 * Ids of objects. An id proves by its end that this account made it, so that a customer and a card of an earlier run of
 * the simulator are known although nothing was kept; one letter of it remembers which card it is.
 */
export class Ids {
  private readonly secret: string

  constructor(secret: string) {
    this.secret = secret
  }

  /** Returns a new id that remembers one letter. */
  mint(prefix: string, mark = "0", length = 8): string {
    const start = `${prefix}${lettersOf(randomBytes(length))}${mark}`
    return `${start}${this.proof(start)}`
  }

  /** Returns the letter that an id of this account remembers; undefined for any other id. */
  markOf(prefix: string, id: string): string | undefined {
    const start = id.slice(0, -proofLength)
    if (!id.startsWith(prefix) || start.length <= prefix.length || id !== `${start}${this.proof(start)}`)
      return undefined
    return start.at(-1)
  }

  /** Returns random letters for a secret. */
  static secret(length = 24): string {
    return lettersOf(randomBytes(length))
  }

  private proof(start: string): string {
    return lettersOf(createHmac("sha256", this.secret).update(start).digest().subarray(0, proofLength))
  }
}
