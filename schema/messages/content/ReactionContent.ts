import { Schema } from "effect"

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })
// A keycap is the one emoji whose first code point is none; a flag is made of two regional indicators.
const pictured = /\p{Extended_Pictographic}|^\p{Regional_Indicator}{2}$|^[0-9#*]\ufe0f?\u20e3$/u
/** The longest emoji have some ten code points; nothing longer is looked at. */
const longestEmoji = 64

/** Whether a text is one emoji as people see it. gaps-2 B "Content bounds and optional fields" */
const isEmoji = (value: string): boolean => {
  if (value === "" || value.length > longestEmoji) return false
  const [first] = graphemes.segment(value)
  return first?.segment === value && pictured.test(value)
}

/** One emoji, or nothing to take a reaction back. M-REACT-02, gaps-2 B "Content bounds and optional fields" */
export const Emoji = Schema.String.annotate({ description: "One emoji; empty takes the reaction back." }).check(
  Schema.makeFilter((value: string) => value === "" || isEmoji(value), { expected: "one emoji, or empty" })
)

/** A reaction to a customer's message; an empty emoji takes it back. M-REACT-01, M-REACT-02 */
export const ReactionContent = Schema.Struct({
  message_id: Schema.String.annotate({ description: "Id of the customer's message." }),
  emoji: Emoji
}).annotate({ description: "A reaction to a customer's message of the last 30 days." })
export type ReactionContent = typeof ReactionContent.Type
