import { createHash } from "node:crypto"
import { canonicalJson } from "../../platform/canonical/CanonicalJson.ts"

/** A template message as far as its content goes; the shape of the send body's `message.template`. */
export interface TemplateContent {
  readonly name: string
  readonly language: string
  readonly variables?: { readonly [key: string]: string } | null | undefined
  readonly components?: ReadonlyArray<TemplateComponent> | null | undefined
}

interface TemplateComponent {
  readonly type: string
  readonly index?: number | string | null | undefined
  readonly parameters?: ReadonlyArray<TemplateParameter> | null | undefined
}

interface TemplateParameter {
  readonly parameter_name?: string | null | undefined
  readonly text?: string | null | undefined
}

/**
 * What two marketing messages are compared by: SHA-256 of name, language, parameters and the bytes of the media, in hex.
 * Version, category, sender, metadata, asset id and filename do not count. gaps-2 C "Content hash", M-GRD-02, M-GRD-04
 */
export const contentHash = (template: TemplateContent, media: string | null): string =>
  createHash("sha256")
    .update(
      canonicalJson({
        v: 1,
        name: template.name,
        language: template.language,
        parameters: {
          body: template.variables ?? {},
          header: headerValues(template.components ?? []),
          buttons: buttonValues(template.components ?? [])
        },
        media
      })
    )
    .digest("hex")

// Without names the place of a value is its key, as in the variables of the body.
const headerValues = (components: ReadonlyArray<TemplateComponent>): { readonly [key: string]: string } =>
  Object.fromEntries(
    components
      .filter(({ type }) => type === "header")
      .flatMap(({ parameters }) => parameters ?? [])
      .map(({ parameter_name, text }, place) => [parameter_name ?? String(place + 1), text ?? ""])
  )

const buttonValues = (components: ReadonlyArray<TemplateComponent>): ReadonlyArray<readonly [number, string]> =>
  components
    .filter(({ type }) => type === "button")
    .map(({ index, parameters }): readonly [number, string] => [Number(index ?? 0), parameters?.[0]?.text ?? ""])
    .sort(([one], [other]) => one - other)
