import { Schema } from "effect"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
// A keycap is the only emoji whose first code point is not pictographic; a flag has two regional indicators.
const pictured = /\p{Extended_Pictographic}|^\p{Regional_Indicator}{2}$|^[0-9#*]\ufe0f?\u20e3$/u
/** The longest emoji have some ten code points; longer texts are not checked. */
const longestEmoji = 64

/** True when a text is one emoji as people see it. gaps-2 B "Content bounds and optional fields" */
const isEmoji = (value: string): boolean => {
  if (value === "" || value.length > longestEmoji) return false
  const [first] = graphemes.segment(value)
  return first?.segment === value && pictured.test(value)
}

/** One emoji, or empty to remove a reaction. M-REACT-02, gaps-2 B "Content bounds and optional fields" */
export const Emoji = Schema.String.annotate({ description: "One emoji; an empty text removes the reaction." }).check(
  Schema.makeFilter((value: string) => value === "" || isEmoji(value), { expected: "one emoji, or empty" })
)

/** A reaction to a customer's message; an empty emoji removes it. M-REACT-01, M-REACT-02 */
export const ReactionContent = Schema.Struct({
  message_id: Schema.String.annotate({ description: "Id of the customer's message." }),
  emoji: Emoji
}).annotate({ description: "A reaction to a customer's message of the last 30 days." })
export type ReactionContent = typeof ReactionContent.Type
