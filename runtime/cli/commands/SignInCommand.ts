import { SignIn } from "@carteiro/console/Ports.ts"
import { EmailAddress } from "@carteiro/schema/access/Member.ts"
import { MemberNotFound } from "@carteiro/schema/access/MemberErrors.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Members } from "../../access/Access.ts"
import { recordChange } from "../kit/Audited.ts"
import { print } from "../kit/Output.ts"
import { organization, orUndefined } from "../kit/Parameters.ts"

/** A new way in for a member. gaps-1 C "Dashboard sessions and roles" */
export const signIn = Command.make(
  "sign-in",
  {
    email: Flag.String("email").pipe(
      Flag.withDescription("Email address of the member"),
      Flag.withSchema(EmailAddress)
    ),
    organization: organization.pipe(Flag.optional)
  },
  Effect.fnUntraced(function* ({ email, organization }) {
    const now = yield* Clock.currentTimeMillis
    const within = orUndefined(organization)
    const found = (yield* (yield* Members).findByEmail(email)).filter(
      (member) => member.active && (within === undefined || member.organization_id === within)
    )
    const [member, ...others] = found
    if (member === undefined)
      return yield* new MemberNotFound({ message: `No active member has the address ${email}.` })
    if (others.length > 0) {
      const ids = found.map(({ organization_id }) => organization_id).join(", ")
      return yield* new MemberNotFound({ message: `Several organizations know ${email}; add --organization: ${ids}` })
    }
    const sign_in_url = yield* (yield* SignIn).link(member.organization_id, member.id, now)
    yield* recordChange(member.organization_id, { action: "member.sign_in_link_made", subject: member.id })
    yield* print({ organization_id: member.organization_id, member_id: member.id, sign_in_url }, sign_in_url)
  })
)
