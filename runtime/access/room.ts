import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import { defaultLanguage } from "@carteiro/schema/conventions/Language.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect, Layer } from "effect"
import { MailRecipients } from "../mail/MailRecipients.ts"
import { defineRoom } from "../room/Room.ts"
import { edgeAdmission } from "./admission/EdgeAdmission.ts"
import { environmentOwners } from "./admission/EnvironmentEntity.ts"
import { EnvironmentRepo } from "./admission/EnvironmentRepo.ts"
import { organizationOwners } from "./admission/OrganizationEntity.ts"
import { DeviceApprovals } from "./devices/DeviceApprovals.ts"
import { DeviceAuthorizations } from "./devices/DeviceAuthorizations.ts"
import { DeviceAuthorizationsHttp } from "./devices/DeviceAuthorizationsHttp.ts"
import { DeviceDecisionsHttp } from "./devices/DeviceDecisionsHttp.ts"
import { deviceRetention } from "./devices/DeviceFlow.ts"
import { DeviceRepo } from "./devices/DeviceRepo.ts"
import { ApiKeyRepo } from "./keys/ApiKeyRepo.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { ApiKeysHttp } from "./keys/ApiKeysHttp.ts"
import { MintedKeysHttp } from "./keys/MintedKeysHttp.ts"
import { EmailsHttp } from "./members/EmailsHttp.ts"
import { MemberRepo } from "./members/MemberRepo.ts"
import { Members } from "./members/Members.ts"
import { MembersHttp } from "./members/MembersHttp.ts"
import { SessionRepo } from "./sessions/SessionRepo.ts"
import { sessionsLayer } from "./sessions/Sessions.ts"
import { signInLayer } from "./sessions/SignIn.ts"
import { AccountHttp } from "./tenancy/AccountHttp.ts"
import { AccountRepo } from "./tenancy/AccountRepo.ts"
import { CapabilitySwitchesHttp } from "./tenancy/CapabilitySwitchesHttp.ts"
import { EnvironmentListRepo } from "./tenancy/EnvironmentListRepo.ts"
import { Environments } from "./tenancy/Environments.ts"
import { OrganizationRepo } from "./tenancy/OrganizationRepo.ts"
import { Organizations } from "./tenancy/Organizations.ts"
import { Seeding } from "./tenancy/Seeding.ts"
import { Tenancy } from "./tenancy/Tenancy.ts"

const repos = Layer.mergeAll(EnvironmentRepo.layer, AccountRepo.layer, ApiKeyRepo.layer, DeviceRepo.layer)
const peopleRepos = Layer.mergeAll(OrganizationRepo.layer, MemberRepo.layer, EnvironmentListRepo.layer)

/** Services for the dashboard and the operator's commands. */
const peopleLayer = Layer.mergeAll(Organizations.layer, Members.layer, Environments.layer).pipe(
  Layer.provide(peopleRepos)
)

/** How people sign in to the console, and who is signed in. */
const signedIn = Layer.merge(sessionsLayer, signInLayer).pipe(Layer.provide(SessionRepo.layer))

/** Services for other rooms and the operator's commands. */
const services = Layer.mergeAll(
  ApiKeys.layer,
  DeviceApprovals.layer,
  DeviceAuthorizations.layer,
  Tenancy.layer,
  Seeding.layer
).pipe(Layer.provide(repos), Layer.merge(signedIn), Layer.provideMerge(peopleLayer))

/**
 * Returns the recipients of e-mails to an organization: its owners and admins who may sign in. gaps-3 E "Failure
 * notification"
 */
const mailRecipients = Layer.effect(
  MailRecipients,
  Effect.map(
    MemberRepo,
    (repo) => (organizationId: string) =>
      Effect.map(repo.list(organizationId), (all) =>
        all
          .filter(({ active, role }) => active && mayDecide(role))
          .map(({ email, language }) => ({ email, language: language ?? defaultLanguage }))
      )
  )
).pipe(Layer.provide(MemberRepo.layer))

const purgeEnded = (table: string): Job => ({
  name: `${table}.purge`,
  everyMs: 600_000,
  run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo(table, "expires_at", now))
})

/** Jobs of the room: it purges device requests after 24 hours, links and sessions when they end. */
const jobs: ReadonlyArray<Job> = [
  purgeEnded("sign_in_links"),
  purgeEnded("dashboard_sessions"),
  {
    name: "device_authorizations.purge",
    everyMs: 600_000,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) =>
      deleteUpTo("device_authorizations", "created_at", now - deviceRetention)
    )
  }
]

/** The access room: keys, devices, tenancy, members, and the `Admission` of every request of the process. */
export const room = defineRoom({
  name: "access",
  answers: mailRecipients,
  services,
  actions: edgeAdmission.pipe(Layer.provide(repos)),
  routes: Layer.mergeAll(
    AccountHttp,
    ApiKeysHttp,
    DeviceAuthorizationsHttp,
    DeviceDecisionsHttp,
    MembersHttp,
    EmailsHttp,
    MintedKeysHttp,
    CapabilitySwitchesHttp
  ).pipe(Layer.provide(repos)),
  owners: Layer.mergeAll(environmentOwners, organizationOwners).pipe(Layer.provide(repos)),
  jobs
})
