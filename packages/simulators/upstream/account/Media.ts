import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import { formParts } from "../../kit/Multipart.ts"
import { type Call, ok, type SimulatedAnswer } from "../../kit/Routes.ts"
import { uploadFlaw } from "../form/MediaForm.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimFile, World } from "../World.ts"

/** Faults of files. */
export const mediaFaults = ["refuse_upload", "fail_upload", "fail_download", "cut_download", "wrong_hash"] as const

/** `POST /{phone_number_id}/media`: a form with the file, its type and the product. */
export const takeFile = (world: World, faults: Faults, log: CallLog, call: Call): SimulatedAnswer => {
  const parts = formParts(call.headers["content-type"], call.body)
  const file = parts.find(({ name }) => name === "file")
  const product = parts.find(({ name }) => name === "messaging_product")?.bytes.toString()
  const note = (outcome: string) =>
    log.add("upload", { outcome, bytes: file?.bytes.length ?? 0, type: file?.type ?? null })
  if (faults.hit(["fail_upload"], { operation: "media" })) {
    note("failed")
    return vendorError(131000)
  }
  if (faults.hit(["refuse_upload"], { operation: "media" })) {
    note("refused")
    return vendorError(131053)
  }
  if (file === undefined || product !== "whatsapp") {
    note("refused")
    return vendorError(100, "messaging_product and file are required")
  }
  const flaw = uploadFlaw(file)
  if (flaw !== undefined) {
    note("refused")
    return vendorError(flaw.code, flaw.details)
  }
  note("accepted")
  return ok({ id: world.addFile(file.bytes, file.type ?? "application/octet-stream").id })
}

/** `GET /{media_id}`: the address of its bytes, valid for the life of the process. */
export const describeFile = (faults: Faults, file: SimFile, call: Call): SimulatedAnswer => {
  if (faults.hit(["fail_download"], { operation: "media" })) return vendorError(131000)
  const wrong = faults.hit(["wrong_hash"], { operation: "media" }) !== undefined
  return ok({
    id: file.id,
    url: `http://${call.headers.host}/download/${file.id}`,
    mime_type: file.mime_type,
    sha256: wrong ? "0".repeat(64) : file.sha256,
    file_size: String(file.bytes.length),
    messaging_product: "whatsapp"
  })
}

/** The page that the file host answers instead of a file. */
const errorPage = Buffer.from("<!DOCTYPE html><html><title>Error</title><h1>Sorry, something went wrong.</h1></html>")

/** Returns the bytes at that address, or an error page to a call that does not name its program. U-CON-06 */
export const sendFile = (faults: Faults, file: SimFile, call: Call): SimulatedAnswer | undefined => {
  if (call.headers["user-agent"] === undefined) {
    return { status: 400, body: errorPage, headers: { "content-type": "text/html; charset=utf-8" } }
  }
  if (faults.hit(["cut_download"], { operation: "media" }) === undefined) {
    return { status: 200, body: file.bytes, headers: { "content-type": file.mime_type } }
  }
  const { response } = call
  response.writeHead(200, { "content-type": file.mime_type, "content-length": file.bytes.length })
  response.write(file.bytes.subarray(0, Math.floor(file.bytes.length / 2)))
  setTimeout(() => response.destroy(), 20)
  return undefined
}
