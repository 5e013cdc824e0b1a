import { SignIn } from "@carteiro/console/Ports.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { type RealInstant, realNow } from "@carteiro/owners/RealTime.ts"
import type { PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import type { SpeechVendor } from "@carteiro/provider/SpeechProvider.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Effect, Redacted } from "effect"
import { ApiKeys, Members, Seeding, Tenancy } from "../access/Access.ts"
import { Corrections, DemoCard, DemoPlan } from "../billing/Billing.ts"
import { SpeechCredentials } from "../media/Media.ts"
import { fictitiousNumber, NumberDirectory, numberChanges } from "../phone-numbers/PhoneNumbers.ts"
import { OrderStandings, standingChanges } from "../phone-orders/PhoneOrders.ts"
import { type DemoAccount, DemoConnection } from "../provider-connections/ProviderConnections.ts"
import { seededTemplateRows, TemplateDirectory } from "../templates/Templates.ts"
import { type DevFile, readDevFile } from "./DevFile.ts"
import { StartSteps } from "./StartSteps.ts"

/** 1000.0000 BRL. Boot contract, "Ready" */
const demoBalance = 1000_0000

const ownerEmail = "owner@demo.test"

/** The demo organization, with keys that work now and a fresh way into its dashboard. */
interface Seeded {
  readonly members: Pick<DevFile, "organization_id" | "project_id" | "sandbox" | "production" | "dashboard">
  /** The production number, as people write it. */
  readonly phone: string | null
  /** The production environment's account at Pix provider 2. */
  readonly pixprov2ConnectionId: string
}

/** The account of the production environment at the simulated chat platform. */
type UpstreamDemo = Pick<DemoAccount, "biz_account_id" | "phone_number_id" | "token">

/** The accounts of the demo organization at its vendors. */
interface VendorDemos {
  readonly upstream: UpstreamDemo
  /** The keys of the production environment. */
  readonly speech: SpeechDemo
  readonly pixprov2: { readonly api_key: string; readonly webhook_secret: string; readonly driver: PixDriver }
}

type SpeechDemo = ReadonlyArray<readonly [SpeechVendor, Redacted.Redacted]>

/**
 * Makes the demo organization at the first start and finds it at every later one. Keys stay the same while they still
 * authenticate; a missing dev.json or a dead key makes new ones. Boot contract, "Ready"
 */
export const seed = Effect.fn("Seed.seed")(function* (dataDir: string, demos: VendorDemos) {
  const tenancy = yield* Tenancy
  const repo = yield* Seeding
  const now = yield* realNow
  const before = yield* readDevFile(dataDir)
  const existing = yield* repo.find(ownerEmail)
  if (existing === undefined) (yield* StartSteps)("making the demo organization")
  const found = existing ?? (yield* Effect.orDie(tenancy.createOrganization(demo, now)))
  const environment = Effect.fnUntraced(function* (kind: "sandbox" | "production", id: string) {
    const known = before?.[kind].environment_id === id ? before[kind].api_key : undefined
    const works = known !== undefined && (yield* repo.keyWorks(id, known, now))
    // Made by an earlier release, it lacks the scopes that are new since. Boot contract, "Ready"
    if (works) yield* repo.grantScopes(id, known, KeyScope.literals)
    return {
      environment_id: id,
      api_key: works ? known : yield* mintKey(found, kind, id, now),
      phone_number_id: (yield* activeNumber(kind, id, now))?.id ?? null
    }
  })
  yield* approvedTemplates("sandbox", found.sandbox_id, now)
  yield* approvedTemplates("production", found.production_id, now)
  const members: Seeded["members"] = {
    organization_id: found.organization_id,
    project_id: found.project_id,
    sandbox: yield* environment("sandbox", found.sandbox_id),
    production: yield* environment("production", found.production_id),
    dashboard: yield* wayIn(found.organization_id, now)
  }
  yield* declareStanding(found.organization_id, now)
  yield* Effect.orDie((yield* Corrections).begin(found.organization_id, demoBalance, now))
  yield* (yield* DemoCard).save(found.organization_id, now)
  yield* (yield* DemoPlan).begin(found.organization_id, now)
  const phone = yield* connectUpstream(members.production, demos.upstream, now)
  yield* keepSpeechKeys(found.production_id, demos.speech, now)
  const pixprov2ConnectionId = yield* connectPixprov2(found.production_id, demos.pixprov2, now)
  return { members, phone, pixprov2ConnectionId } satisfies Seeded
})

/** The demonstration may order numbers: its identity is approved, and its owner receives billing alerts. Boot contract, "Ready" */
const declareStanding = Effect.fnUntraced(function* (organization_id: string, at: number) {
  const standing = yield* (yield* OrderStandings).find(organization_id)
  if (standing.identity !== "none") return
  const owners = yield* (yield* Members).findByEmail(ownerEmail)
  const owner = owners.find((member) => member.organization_id === organization_id)
  const commit = yield* Commit
  yield* Effect.orDie(
    commit.write([standingChanges.declareIdentity({ ...demoIdentity, organization_id, declared_at: at })])
  )
  const approved = standingChanges.approveIdentity({ organization_id, approved_at: at })
  const recipient =
    owner === undefined
      ? []
      : [
          standingChanges.nameRecipient({
            organization_id,
            member_id: owner.id,
            phone: "+5511900000000",
            consented_at: at
          })
        ]
  yield* Effect.orDie(commit.write([approved, ...recipient]))
})

/** The owner's one-time link; only this is fresh each start. Boot contract, "Ready" */
const wayIn = Effect.fnUntraced(function* (organizationId: string, now: number) {
  const publicUrl = yield* PublicUrl
  const owners = yield* (yield* Members).findByEmail(ownerEmail)
  const owner = owners.find((member) => member.organization_id === organizationId && member.active)
  return {
    url: `${publicUrl()}/dashboard`,
    email: ownerEmail,
    sign_in_url: owner === undefined ? null : yield* Effect.orDie((yield* SignIn).link(organizationId, owner.id, now))
  }
})

/** The production environment is given a number too, so that both keys can be tried. */
const activeNumber = Effect.fnUntraced(function* (kind: "sandbox" | "production", environment_id: string, at: number) {
  const numbers = yield* NumberDirectory
  const commit = yield* Commit
  const ids = yield* Ids
  const active = yield* numbers.firstActive(environment_id)
  if (active !== undefined) return active
  const id = ids.mint("pn", at)
  yield* Effect.orDie(commit.write([fictitiousNumber({ environment_id, id, kind, at })]))
  return yield* numbers.firstActive(environment_id)
})

/** Connects the production number to its chat platform; answers its phone. Boot contract, "Ready" */
const connectUpstream = Effect.fnUntraced(function* (
  { environment_id, phone_number_id }: DevFile["production"],
  upstream: UpstreamDemo,
  at: number
) {
  const active = yield* (yield* NumberDirectory).firstActive(environment_id)
  const { biz_account_id, phone_number_id: upstream_phone_number_id } = upstream
  if (phone_number_id === null || active?.id !== phone_number_id) return null
  const cover = numberChanges.cover({
    environment_id,
    id: phone_number_id,
    upstream_phone_number_id,
    biz_account_id,
    updated_at: at
  })
  yield* Effect.orDie((yield* Commit).write([cover]))
  yield* (yield* DemoConnection).connect({ ...upstream, environment_id, display_phone_number: active.phone }, at)
  return active.phone
})

/** Connects the production environment to its Pix provider. Boot contract, "Ready" */
const connectPixprov2 = Effect.fnUntraced(function* (
  environment_id: string,
  account: VendorDemos["pixprov2"],
  now: number
) {
  const connections = yield* DemoConnection
  return yield* connections.connectPayments(
    {
      ...account,
      environment_id,
      environment: "production",
      provider: "pixprov2",
      channel: "payments",
      display_name: "Demo"
    },
    now
  )
})

/** The keys that this process knows the vendors by, whatever an earlier start left. gaps-2 L "Setup session routes" */
const keepSpeechKeys = Effect.fnUntraced(function* (environmentId: string, speech: SpeechDemo, now: number) {
  const credentials = yield* SpeechCredentials
  const rows = speech.map(([vendor, key]) => credentials.keep(environmentId, vendor, Redacted.value(key), now))
  if (rows.length > 0) yield* Effect.orDie((yield* Commit).write(rows))
})

/** Both environments begin with the same templates; what became of them since is left alone. */
const approvedTemplates = Effect.fnUntraced(function* (
  kind: "sandbox" | "production",
  environment_id: string,
  at: number
) {
  const templates = yield* TemplateDirectory
  const commit = yield* Commit
  const ids = yield* Ids
  const any = yield* templates.list(environment_id, {}, undefined, 1)
  if (any.length === 0) yield* Effect.orDie(commit.write(seededTemplateRows(ids, { environment_id, kind, at })))
})

const demo = {
  name: "Demo",
  owner: { name: "Demo Owner", email: ownerEmail },
  project: { name: "Demo", slug: "demo" }
}

const demoIdentity = { legal_name: "Demo Ltda", tax_id: "00000000000191", legal_phone: null }

const mintKey = Effect.fnUntraced(function* (
  tenant: { readonly organization_id: string; readonly project_id: string },
  environment: "sandbox" | "production",
  environment_id: string,
  now: RealInstant
) {
  const keys = yield* ApiKeys
  const minted = yield* Effect.orDie(
    keys.mint(
      {
        organization_id: tenant.organization_id,
        project_id: tenant.project_id,
        environment_id,
        environment,
        name: `Demo ${environment}`,
        scopes: KeyScope.literals,
        kind: "standard",
        expires_at: null
      },
      now
    )
  )
  return minted.secret
})
