import { randomBytes } from "node:crypto"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import { vendorError } from "../VendorErrors.ts"
import type { UploadSession, World } from "../World.ts"

/** The media types that the Resumable Upload API takes. */
const types: ReadonlySet<string> = new Set(["application/pdf", "image/jpeg", "image/jpg", "image/png", "video/mp4"])

const received = ({ pieces }: UploadSession): number => pieces.reduce((sum, piece) => sum + piece.length, 0)

/** `POST /{app}/uploads?file_name=&file_length=&file_type=`: begins a session. U-TPL-01 */
export const beginUpload = (world: World, call: Call): SimulatedAnswer => {
  const body = recordOf(jsonOf(call.body))
  const value = (name: string): string => call.query.get(name) ?? String(body[name] ?? "")
  const [name, type, length] = [value("file_name"), value("file_type"), Number(value("file_length"))]
  if (!Number.isInteger(length) || length <= 0) return vendorError(100, "The parameter file_length is required.")
  if (!types.has(type)) return vendorError(100, `file_type ${type} is not supported`)
  // The platform's ids end in a signature that looks like a query.
  const id = `upload:${randomBytes(24).toString("base64url")}?sig=${randomBytes(12).toString("base64url")}`
  world.uploads.set(id, { id, name, type, length, pieces: [] })
  return ok({ id })
}

/** `POST /{session}` with `file_offset` and the bytes: answers the handle once they are complete. */
export const continueUpload = (world: World, session: UploadSession, call: Call): SimulatedAnswer => {
  const offset = Number(call.headers.file_offset ?? Number.NaN)
  if (offset !== received(session)) return vendorError(100, `file_offset: expected ${received(session)}`)
  if (offset + call.body.length > session.length) return vendorError(100, "the file is longer than its file_length")
  session.pieces.push(call.body)
  if (received(session) < session.length) return ok({ id: session.id, file_offset: received(session) })
  const handle = `4::${Buffer.from(session.type).toString("base64url")}:${randomBytes(32).toString("base64url")}`
  world.handles.set(handle, session.type)
  return ok({ h: handle })
}

/** `GET /{session}`: how much of the file arrived. */
export const describeUpload = (session: UploadSession): SimulatedAnswer =>
  ok({ id: session.id, file_offset: received(session) })
