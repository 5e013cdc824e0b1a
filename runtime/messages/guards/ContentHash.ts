import { createHash } from "node:crypto"
import { canonicalJson } from "@carteiro/http-edge/Json.ts"
import type { TemplateParameters } from "../../templates/Templates.ts"

/**
 * Returns the hash by which two marketing messages are compared: SHA-256 of name, language, parameters and the bytes of
 * the media, in hex. Version, category, sender, metadata, asset id and filename do not count. `media` is the SHA-256 of
 * the header's file, or null without one. gaps-2 C "Content hash", M-GRD-02, M-GRD-04
 */
export const contentHash = (
  { language, name }: { readonly name: string; readonly language: string },
  { body, buttons, header }: Pick<TemplateParameters, "body" | "buttons" | "header">,
  media: string | null
): string =>
  createHash("sha256")
    .update(canonicalJson({ v: 1, name, language, parameters: { body, header, buttons }, media }))
    .digest("hex")
