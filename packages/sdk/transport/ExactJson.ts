interface DigitJson {
  readonly rawJSON?: (digits: string) => object
  readonly parse: (
    text: string,
    reviver: (name: string, value: unknown, context?: { readonly source?: string }) => unknown
  ) => unknown
}

const digitJson = JSON as unknown as DigitJson
const { rawJSON } = digitJson

/**
 * Returns the value of a JSON text. An integer beyond 2^53, as metadata may hold, keeps its digits: it is an object whose `rawJSON`
 * has them, which `JSON.stringify` writes as the number again. Runtimes without `JSON.rawJSON` round it.
 */
export const parseExact = (text: string): unknown =>
  rawJSON === undefined || !/\d{16}/.test(text)
    ? JSON.parse(text)
    : digitJson.parse(text, (_name, value, context) =>
        typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
          ? rawJSON(context?.source ?? "")
          : value
      )

/** Returns the JSON text of a body; a bigint is written with all of its digits. */
export const exactText = (body: unknown): string =>
  JSON.stringify(body, (_name, value: unknown) => {
    if (typeof value !== "bigint") return value
    return rawJSON === undefined ? Number(value) : rawJSON(String(value))
  })
