import type { Follower } from "@carteiro/owners/Commit.ts"
import { type DueOwners, wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { Effect, Layer, type Redacted } from "effect"
import { defineRoom } from "../room/Room.ts"
import { dueInboxes } from "../vendor-webhooks/InboxRepo.ts"
import { VendorInbox } from "../vendor-webhooks/VendorInbox.ts"
import { accountDirectoryLayer } from "./account/AccountDirectoryLayer.ts"
import { UnpaidMonths } from "./account/UnpaidMonths.ts"
import { CardRepo } from "./cards/CardRepo.ts"
import { ChargeRepo, chargedAccounts } from "./charges/ChargeRepo.ts"
import { outwardCharges } from "./charges/OutwardCharges.ts"
import { PlatformPixWebhookSecrets } from "./charges/PlatformPixWebhookSecrets.ts"
import { CorrectionRepo } from "./corrections/CorrectionRepo.ts"
import { correctionsLayer } from "./corrections/CorrectionsLayer.ts"
import { PromotionCredit, startingCredit } from "./corrections/Promotion.ts"
import { FeeFacts } from "./fees/FeeFacts.ts"
import { auditGauge } from "./ledger/AuditNights.ts"
import { BillingHttp } from "./ledger/BillingHttp.ts"
import { LedgerAudit } from "./ledger/LedgerAudit.ts"
import { LedgerRepo } from "./ledger/LedgerRepo.ts"
import { nightlyAudit } from "./ledger/NightlyAudit.ts"
import { providerAuditLayer } from "./ledger/ProviderAuditLayer.ts"
import { calendarJob } from "./months/CalendarRepo.ts"
import { MonthAccounts } from "./months/MonthAccounts.ts"
import { MonthRepo, monthsOfTenant } from "./months/MonthRepo.ts"
import { MonthWorks } from "./months/MonthWorks.ts"
import { NoticeRepo } from "./notices/NoticeRepo.ts"
import { NoticesHttp } from "./notices/NoticesHttp.ts"
import { AccountDueRepo } from "./owner/AccountDueRepo.ts"
import { BillingAccountEntity } from "./owner/BillingAccountEntity.ts"
import { billingAccountOwners } from "./owner/BillingAccountOwners.ts"
import { ChargeNoticesWorker, chargeNoticesOwners } from "./owner/ChargeNoticesWorker.ts"
import { PlatformPixNoticesEntity, platformPixNoticesOwners } from "./owner/PlatformPixNoticesEntity.ts"
import { AccountPlans } from "./plans/AccountPlans.ts"
import { MessagePrices } from "./plans/MessagePrices.ts"
import { PlanCatalogRepo } from "./plans/PlanCatalogRepo.ts"
import { MeterPrices } from "./prices/MeterPrices.ts"
import { RateCardRepo } from "./prices/RateCardRepo.ts"
import { RateCardsHttp } from "./prices/RateCardsHttp.ts"
import { AutoTopupHttp } from "./routes/AutoTopupHttp.ts"
import { CardCollection } from "./routes/CardCollection.ts"
import { CardWebhookHttp, CardWebhookSecrets } from "./routes/CardWebhookHttp.ts"
import { demoCardLayer } from "./routes/DemoCardLayer.ts"
import { OwnAccountHttp } from "./routes/OwnAccountHttp.ts"
import { PackagesHttp } from "./routes/PackagesHttp.ts"
import { PaymentMethodsHttp } from "./routes/PaymentMethodsHttp.ts"
import { pixTopupsLayer } from "./routes/PixTopupsLayer.ts"
import { PlansHttp } from "./routes/PlansHttp.ts"
import { PlatformPixWebhookHttp } from "./routes/PlatformPixWebhookHttp.ts"
import { StatementsHttp } from "./routes/StatementsHttp.ts"
import { StatementReads } from "./statements/StatementReads.ts"
import { StatementRepo } from "./statements/StatementRepo.ts"
import { demoPlanLayer } from "./subscription/DemoPlanLayer.ts"
import { SubscriptionRepo, subscriptionsOfTenant } from "./subscription/SubscriptionRepo.ts"
import { reviewCoverage } from "./subscription/SubscriptionWrites.ts"
import { TopupRepo } from "./topups/TopupRepo.ts"
import { UsageRepo } from "./usage/UsageRepo.ts"
import { insertUsage } from "./usage/UsageWrites.ts"
import { WalletRepo } from "./wallet/WalletRepo.ts"

/** Returns accounts with usage to post, for the sweeper. */
const dueAccounts: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(UsageRepo, (repo) => repo.dueOrganizations(now, after, limit)),
    UsageRepo.layer
  )

/** Returns accounts with corrections to post. */
const correctedAccounts: DueOwners["due"] = (_now, after, limit) =>
  Effect.provide(
    Effect.flatMap(CorrectionRepo, (repo) => repo.dueAccounts(after, limit)),
    CorrectionRepo.layer
  )

/** Returns accounts whose subscription is due. */
const dueSubscriptions: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(SubscriptionRepo, (repo) => repo.due(now, after, limit)),
    SubscriptionRepo.layer
  )

/** Returns accounts with a due job of a month. */
const dueMonths: DueOwners["due"] = (now, after, limit) =>
  Effect.provide(
    Effect.flatMap(MonthRepo, (repo) => repo.dueAccounts(now, after, limit)),
    MonthRepo.layer
  )

/** Returns the accounts whose usage a commit appended. */
const usageFollower: Follower = {
  name: "usage_records.wake",
  returns: true,
  sql: (source) => `select distinct r.organization_id as key from ${source} r`
}

/**
 * How long a busy account gathers usage before it posts it, well within the second in which usage is charged; an idle
 * account posts it at once.
 */
const gatherUsageMs = 200

/**
 * Wakes accounts with new usage, and those whose plan has changed; the sweeper catches a missed wake-up. gaps-3 D
 * "Usage posting"
 */
const waking = Layer.merge(
  wakeAfterCommit(BillingAccountEntity.name, usageFollower.name, gatherUsageMs),
  wakeAfterCommit(BillingAccountEntity.name, reviewCoverage.name)
)

/** The settings that the room reads. */
interface BillingSettings {
  readonly cardprocWebhookSecret: Redacted.Redacted | undefined
  readonly cardprocWebhookSecretSecond: Redacted.Redacted | undefined
  readonly pixprov2PlatformWebhookSecret: Redacted.Redacted | undefined
  readonly pixprov2PlatformWebhookSecretSecond: Redacted.Redacted | undefined
  readonly promotionCreditBrl: string
}

/** Lets nodes that host no owners wake the owners of notices. */
const wakingNotices = Layer.merge(
  Layer.effectDiscard(ChargeNoticesWorker.client),
  Layer.effectDiscard(PlatformPixNoticesEntity.client)
)

/** The billing room: prices, wallets and the ledger of prepaid credit. */
export const room = defineRoom({
  name: "billing",
  outward: outwardCharges,
  settings: ({
    cardprocWebhookSecret,
    cardprocWebhookSecretSecond,
    pixprov2PlatformWebhookSecret,
    pixprov2PlatformWebhookSecretSecond,
    promotionCreditBrl
  }: BillingSettings) =>
    Layer.mergeAll(
      Layer.succeed(PromotionCredit, parseBrl(promotionCreditBrl) ?? 0),
      Layer.succeed(CardWebhookSecrets, [cardprocWebhookSecret, cardprocWebhookSecretSecond]),
      Layer.succeed(PlatformPixWebhookSecrets, [pixprov2PlatformWebhookSecret, pixprov2PlatformWebhookSecretSecond])
    ),
  answers: startingCredit,
  services: Layer.mergeAll(
    AccountPlans.layer,
    MeterPrices.layer,
    MessagePrices.layer,
    correctionsLayer,
    demoCardLayer,
    demoPlanLayer,
    FeeFacts.layer,
    LedgerAudit.layer,
    providerAuditLayer,
    MonthAccounts.layer,
    MonthWorks.layer,
    UnpaidMonths.layer,
    accountDirectoryLayer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          CardRepo.layer,
          LedgerRepo.layer,
          PlanCatalogRepo.layer,
          StatementReads.layer.pipe(Layer.provideMerge(StatementRepo.layer)),
          SubscriptionRepo.layer,
          TopupRepo.layer
        )
      )
    )
  ),
  actions: pixTopupsLayer.pipe(Layer.provide(Layer.merge(TopupRepo.layer, ChargeRepo.layer))),
  routes: Layer.mergeAll(
    BillingHttp,
    RateCardsHttp,
    PackagesHttp,
    PaymentMethodsHttp,
    AutoTopupHttp,
    PlansHttp,
    OwnAccountHttp.pipe(Layer.provide(pixTopupsLayer)),
    StatementsHttp,
    NoticesHttp.pipe(Layer.provide(NoticeRepo.layer)),
    CardWebhookHttp,
    PlatformPixWebhookHttp,
    wakingNotices
  ).pipe(
    Layer.provide(CardCollection.layer.pipe(Layer.provideMerge(Layer.merge(CardRepo.layer, WalletRepo.layer)))),
    Layer.provide(
      Layer.mergeAll(
        RateCardRepo.layer,
        TopupRepo.layer,
        ChargeRepo.layer,
        PlanCatalogRepo.layer,
        SubscriptionRepo.layer,
        VendorInbox.layer
      )
    )
  ),
  followers: { [insertUsage.name]: [usageFollower] },
  owners: Layer.mergeAll(billingAccountOwners, chargeNoticesOwners, platformPixNoticesOwners, waking).pipe(
    Layer.provide(
      Layer.mergeAll(
        WalletRepo.layer,
        AccountDueRepo.layer,
        CorrectionRepo.layer,
        ChargeRepo.layer,
        CardRepo.layer,
        TopupRepo.layer,
        PlanCatalogRepo.layer,
        RateCardRepo.layer,
        SubscriptionRepo.layer,
        MonthRepo.layer,
        UnpaidMonths.layer
      )
    )
  ),
  due: [
    Effect.succeed({ type: BillingAccountEntity.name, due: dueAccounts }),
    Effect.succeed({ type: BillingAccountEntity.name, due: correctedAccounts }),
    Effect.succeed({ type: BillingAccountEntity.name, ...chargedAccounts }),
    Effect.succeed({ type: BillingAccountEntity.name, due: dueSubscriptions, ofTenant: subscriptionsOfTenant }),
    Effect.succeed({ type: BillingAccountEntity.name, due: dueMonths, ofTenant: monthsOfTenant }),
    Effect.succeed({ type: ChargeNoticesWorker.name, due: dueInboxes(ChargeNoticesWorker.name) }),
    Effect.succeed({ type: PlatformPixNoticesEntity.name, due: dueInboxes(PlatformPixNoticesEntity.name) })
  ],
  jobs: [calendarJob, nightlyAudit],
  gauges: [auditGauge]
})

/** The application makes the callers of all rooms' acts, on nodes with or without accounts. */
export { actCallers } from "./owner/ActCallers.ts"
