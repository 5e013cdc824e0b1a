import { isGroupId, isUserId, matchKey, phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { readPhone } from "./Phone.ts"

/**
 * Returns the match keys of the numbers that a filter means: as people write it in the region, and as `recipient.id` takes
 * it. An id of the chat platform or of a group is its own key. None for a text that is no phone number. gaps-2 B "More list
 * filters", gaps-2 A "Phones outside `recipient.id`"
 */
export const recipientKeys = (written: string, region: string): ReadonlyArray<string> => {
  if (isUserId(written) || isGroupId(written)) return [written]
  const readings = [readPhone(written, region).phone?.slice(1), phoneDigits(written)]
  return [...new Set(readings.flatMap((digits) => (digits === undefined ? [] : [matchKey(digits)])))]
}
