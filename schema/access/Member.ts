import { Schema } from "effect"

/** An email address as people write it. It is shown and compared; no mail is ever sent to it. */
export const EmailAddress = Schema.String.check(
  Schema.isPattern(/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]{1,190}$/u, { message: "Expected an email address" })
)
