/** How people come to meet an error code, and what they do about it: sentences, Markdown's backticks allowed. */
export interface ErrorGuide {
  readonly causes: string
  readonly remedy: string
  /** True when the cause ends by itself, so that the unchanged request is worth a repeat although its status says otherwise. */
  readonly passes?: true
}

/** Guides by code. */
export type ErrorGuides = Readonly<Record<string, ErrorGuide>>

/** Codes for a request that is refused as a whole, one for each group of routes. */
const malformed: ErrorGuide = {
  causes:
    "A member or parameter is missing, has the wrong form, is out of its range, or is not known to this route. `param` names the first one, and the message says what it expects.",
  remedy:
    "Put right what `param` names and send the request again. Names are compared letter by letter; the API reference lists the members of each route. Repeating the unchanged request is refused again."
}

/** Codes for a thing that is not there. */
const unknownId: ErrorGuide = {
  causes:
    "The id is misspelt, belongs to another environment or organization, or the thing was deleted. A sandbox key never sees what production made, and the other way round.",
  remedy:
    "Compare the id with the answer or the webhook that it came from, and check that the key belongs to the environment in which it was made. The route's list shows what this key can see."
}

/** Returns the guide of codes that are named by a pattern; undefined for all others. */
export const guideByName = (code: string): ErrorGuide | undefined => {
  if (/^invalid_.*_(?:request|query|body|rotation|resend)$/.test(code) || code === "invalid_query") return malformed
  return code.endsWith("_not_found") ? unknownId : undefined
}
