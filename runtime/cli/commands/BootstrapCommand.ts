import { SignIn } from "@carteiro/console/Ports.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { EmailAddress } from "@carteiro/schema/access/Member.ts"
import { clean, label } from "@carteiro/schema/conventions/Text.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Seeding, Tenancy } from "../../access/Access.ts"
import { deriveSlug } from "../../projects/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print } from "../kit/Output.ts"

const alreadyThere = "An organization of this name knows this address already; nothing was made.\n\n"
const signInFirst = "Sign in once, within 15 minutes, and create the first key there:"
const signInAgain = "Sign in once, within 15 minutes:"
const deactivated = "This member is deactivated; carteiro members activate lets them in again."

/**
 * Makes an organization with its owner, first project and a sign-in link. Where one of this name knows this address
 * already, it makes none and tells where that one is, so that a script may run it again.
 * gaps-1 C "First administrative key and bootstrap"
 */
export const bootstrap = Command.make(
  "bootstrap",
  {
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization"), Flag.withSchema(label(1, 120))),
    email: Flag.String("email").pipe(Flag.withDescription("Email address of its owner"), Flag.withSchema(EmailAddress)),
    ownerName: Flag.String("owner-name").pipe(
      Flag.withDescription("Name of its owner"),
      Flag.withSchema(label(1, 120)),
      Flag.withDefault("Owner")
    ),
    project: Flag.String("project").pipe(
      Flag.withDescription("Name of its first project"),
      Flag.withSchema(label(1, 120)),
      Flag.withDefault("Main")
    )
  },
  Effect.fnUntraced(function* ({ name, email, ownerName, project }) {
    const now = yield* realNow
    const tenancy = yield* Tenancy
    const repo = yield* Seeding
    const plan = {
      name: clean(name),
      owner: { name: clean(ownerName), email },
      project: { name: clean(project), slug: deriveSlug(clean(project)) }
    }
    const { active, created, ...made } = yield* repo.runAlone(
      Effect.gen(function* () {
        const found = yield* repo.findTenant(plan.name, email)
        if (found !== undefined) return { created: false, ...found }
        return { created: true, active: true, ...(yield* tenancy.createOrganization(plan, now)) }
      })
    )
    if (created) {
      const after = { name: plan.name, project: plan.project.name }
      yield* recordChange(made.organization_id, { action: "organization.created", after })
    }
    if (active) {
      yield* recordChange(made.organization_id, { action: "member.sign_in_link_made", subject: made.member_id })
    }
    const sign_in_url = active ? yield* (yield* SignIn).link(made.organization_id, made.member_id, now) : null
    const signIn = `${created ? signInFirst : signInAgain}\n${sign_in_url}`
    yield* print(
      {
        created,
        organization_id: made.organization_id,
        member_id: made.member_id,
        project_id: made.project_id,
        sandbox: { environment_id: made.sandbox_id },
        production: { environment_id: made.production_id },
        sign_in_url
      },
      `${created ? "" : alreadyThere}${facts({
        organization: made.organization_id,
        owner: `${made.member_id} (${email})`,
        project: made.project_id,
        sandbox: made.sandbox_id,
        production: made.production_id
      })}\n\n${active ? signIn : deactivated}`
    )
  })
).pipe(
  Command.withExamples([
    { command: 'carteiro bootstrap --name "Padaria Sol" --email ana@padaria.example', description: "The first tenant" }
  ])
)
