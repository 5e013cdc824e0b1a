import { wakeAfterCommit } from "@carteiro/owners/DueWork.ts"
import { keyedDriverOf, type PixDriver } from "@carteiro/provider/payments/PixProvider.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect, Layer, type Redacted } from "effect"
import { SpeechCredentials } from "../media/Media.ts"
import { defineRoom } from "../room/Room.ts"
import { dueInboxes } from "../vendor-webhooks/InboxRepo.ts"
import { VendorInbox } from "../vendor-webhooks/VendorInbox.ts"
import { AccountRepo } from "./account/AccountRepo.ts"
import { IgnoredNotices, ignoredNoticesJob } from "./account/IgnoredNotices.ts"
import { upstreamAccountOwners } from "./account/UpstreamAccountOwners.ts"
import { UpstreamAccountWorker } from "./account/UpstreamAccountWorker.ts"
import { connectedProviders } from "./connection/ConnectedProviders.ts"
import { ConnectionRepo } from "./connection/ConnectionRepo.ts"
import { completeConnection, hastenHealth, insertConnection, rotateCredential } from "./connection/ConnectionWrites.ts"
import { PaymentsConnections } from "./connection/PaymentsConnections.ts"
import { StoredConnectionRepo } from "./connection/StoredConnectionRepo.ts"
import { demoConnectionLayer } from "./DemoConnectionLayer.ts"
import { ConnectionHealthRepo, dueConnections } from "./health/ConnectionHealthRepo.ts"
import { ConnectionHealthWorker, connectionHealthOwners } from "./health/ConnectionHealthWorker.ts"
import { CodeExchange } from "./manage/CodeExchange.ts"
import { connectionActionsLayer } from "./manage/ConnectionActionsLayer.ts"
import { ConnectionAdmin } from "./manage/ConnectionAdmin.ts"
import { UpstreamConnecting } from "./manage/UpstreamConnecting.ts"
import { UpstreamProof } from "./manage/UpstreamProof.ts"
import { importableNumbers } from "./numprov/ImportableNumbers.ts"
import { NumprovActions, NumprovByokEnabled } from "./numprov/NumprovActions.ts"
import { NumprovConnectionWorker, numprovConnectionOwners } from "./numprov/NumprovConnectionWorker.ts"
import { NumprovHttp } from "./numprov/NumprovHttp.ts"
import { NumprovNoticesWorker, numprovNoticesOwners } from "./numprov/NumprovNoticesWorker.ts"
import { dueNumprov, NumprovRepo } from "./numprov/NumprovRepo.ts"
import { NumprovWebhookHttp, NumprovWebhookSecrets } from "./numprov/NumprovWebhookHttp.ts"
import { ProviderConnectionsHttp } from "./ProviderConnectionsHttp.ts"
import { OperatorsAgenticUrl } from "./setup/AgenticBaseUrl.ts"
import { ConnectionDecisionsHttp } from "./setup/ConnectionDecisionsHttp.ts"
import { KeyedPixDriver, SetupTargets } from "./setup/SetupActions.ts"
import { setupActionsLayer } from "./setup/SetupActionsLayer.ts"
import { SetupDecisionsHttp } from "./setup/SetupDecisionsHttp.ts"
import { SetupRepo } from "./setup/SetupRepo.ts"
import { SetupSessionsHttp } from "./setup/SetupSessionsHttp.ts"
import { signupActionsLayer } from "./signup/SignupActionsLayer.ts"
import { SignupLaunchHttp } from "./signup/SignupLaunchHttp.ts"
import { SignupRepo } from "./signup/SignupRepo.ts"
import { SignupSessionsHttp } from "./signup/SignupSessionsHttp.ts"
import { SignupSettings } from "./signup/SignupSettings.ts"
import { RoutedNumberRepo } from "./webhook/RoutedNumberRepo.ts"
import { UpstreamWebhookHttp } from "./webhook/UpstreamWebhookHttp.ts"
import { WebhookSecrets } from "./webhook/WebhookSecrets.ts"

/** The settings that the room reads. */
interface ConnectionSettings {
  readonly upstreamAppId: string | undefined
  readonly upstreamApiVersion: string
  readonly upstreamDialogUrl: string | undefined
  readonly upstreamReturnOrigins: ReadonlySet<string>
  readonly upstreamSignupConfigId: string | undefined
  readonly upstreamSdkUrl: string | undefined
  readonly upstreamApiBaseUrl: string | undefined
  readonly pixprov1ApiBaseUrl: string | undefined
  readonly pixprov2ApiBaseUrl: string | undefined
  readonly pixprov2Driver: PixDriver
  readonly speechprov1ApiBaseUrl: string | undefined
  readonly speechprov2ApiBaseUrl: string | undefined
  readonly speechprov3ApiBaseUrl: string | undefined
  readonly upstreamAppSecret: Redacted.Redacted | undefined
  readonly upstreamAppSecretSecond: Redacted.Redacted | undefined
  readonly upstreamWebhookVerifyToken: Redacted.Redacted | undefined
  readonly numprovByokEnabled: boolean
  readonly numprovWebhookSecret: Redacted.Redacted | undefined
  readonly numprovWebhookSecretSecond: Redacted.Redacted | undefined
}

/** Returns the platform's consent page, which is on another host than its API. U-CON-07 */
const dialogUrl = ({
  upstreamApiBaseUrl: base,
  upstreamApiVersion: version,
  upstreamDialogUrl: named
}: ConnectionSettings): string | undefined =>
  base === undefined ? undefined : (named ?? `https://www.facebook.com/${version}/dialog/oauth`)

/** Returns the targets whose provider has a base URL. M-SETUP-12 */
const reachedTargets = (settings: ConnectionSettings): ReadonlySet<SetupTarget> =>
  new Set(
    SetupTarget.literals.filter(
      // An account at an institution brings its own base URL.
      (target) =>
        target === "pixprov2.payments" || settings[`${target.split(".")[0] as SetupProvider}ApiBaseUrl`] !== undefined
    )
  )

type SetupProvider = SetupTarget extends `${infer Provider}.${string}` ? Provider : never

/** Lets nodes that host no owners wake the owners of accounts. */
const waking = Layer.effectDiscard(Effect.all([UpstreamAccountWorker.client, NumprovNoticesWorker.client]))

/**
 * Wakes the health check after a connection is made, completed or rotated; a missed wake-up is caught by the sweeper.
 */
const wakingHealth = Layer.mergeAll(
  wakeAfterCommit(ConnectionHealthWorker.name, insertConnection.name),
  wakeAfterCommit(ConnectionHealthWorker.name, completeConnection.name),
  wakeAfterCommit(ConnectionHealthWorker.name, rotateCredential.name),
  wakeAfterCommit(ConnectionHealthWorker.name, hastenHealth.name)
)

/** Proves credentials of the chat platform, and makes connections from them. */
const proving = UpstreamConnecting.layer.pipe(Layer.provideMerge(UpstreamProof.layer))

/** The provider-connections room: accounts at providers, and the choice of the account that a sender uses. */
export const room = defineRoom({
  name: "provider-connections",
  answers: Layer.merge(
    connectedProviders.pipe(Layer.provide(ConnectionRepo.layer)),
    importableNumbers.pipe(Layer.provide(NumprovRepo.layer))
  ),
  settings: (settings: ConnectionSettings) =>
    Layer.mergeAll(
      Layer.succeed(WebhookSecrets, {
        appSecrets: [settings.upstreamAppSecret, settings.upstreamAppSecretSecond].filter((one) => one !== undefined),
        verifyToken: settings.upstreamWebhookVerifyToken
      }),
      Layer.succeed(SignupSettings, {
        returnOrigins: settings.upstreamReturnOrigins,
        appId: settings.upstreamAppId,
        configId: settings.upstreamSignupConfigId,
        sdkUrl: settings.upstreamSdkUrl,
        version: settings.upstreamApiVersion,
        dialogUrl: dialogUrl(settings)
      }),
      Layer.succeed(SetupTargets, reachedTargets(settings)),
      Layer.succeed(KeyedPixDriver, keyedDriverOf(settings.pixprov2Driver)),
      Layer.succeed(OperatorsAgenticUrl, settings.pixprov1ApiBaseUrl),
      Layer.succeed(NumprovWebhookSecrets, [settings.numprovWebhookSecret, settings.numprovWebhookSecretSecond]),
      Layer.succeed(NumprovByokEnabled, settings.numprovByokEnabled)
    ),
  actions: signupActionsLayer.pipe(
    Layer.provide(CodeExchange.layer),
    Layer.provide(proving),
    Layer.provide(Layer.merge(SignupRepo.layer, StoredConnectionRepo.layer))
  ),
  routes: Layer.mergeAll(
    UpstreamWebhookHttp,
    NumprovWebhookHttp,
    NumprovHttp.pipe(Layer.provide(NumprovActions.layer)),
    ProviderConnectionsHttp,
    SignupSessionsHttp,
    SignupLaunchHttp,
    SetupSessionsHttp,
    SetupDecisionsHttp,
    ConnectionDecisionsHttp,
    waking,
    wakingHealth
  ).pipe(
    Layer.provide(
      Layer.mergeAll(RoutedNumberRepo.layer, VendorInbox.layer, StoredConnectionRepo.layer, NumprovRepo.layer)
    )
  ),
  owners: Layer.mergeAll(
    upstreamAccountOwners,
    connectionHealthOwners,
    numprovNoticesOwners,
    numprovConnectionOwners,
    wakingHealth
  ).pipe(Layer.provide(Layer.mergeAll(AccountRepo.layer, ConnectionHealthRepo.layer, NumprovRepo.layer))),
  due: [
    Effect.succeed({ type: UpstreamAccountWorker.name, due: dueInboxes(UpstreamAccountWorker.name) }),
    Effect.succeed({ type: NumprovNoticesWorker.name, due: dueInboxes(NumprovNoticesWorker.name) }),
    Effect.succeed({ type: NumprovConnectionWorker.name, due: dueNumprov }),
    Effect.succeed({ type: ConnectionHealthWorker.name, due: dueConnections })
  ],
  jobs: [ignoredNoticesJob],
  services: Layer.mergeAll(setupActionsLayer, connectionActionsLayer, ConnectionAdmin.layer, IgnoredNotices.layer).pipe(
    Layer.provide(proving),
    Layer.provide(Layer.mergeAll(SetupRepo.layer, StoredConnectionRepo.layer, SpeechCredentials.layer)),
    Layer.provideMerge(
      demoConnectionLayer.pipe(Layer.provide(ConnectionRepo.layer), Layer.provideMerge(PaymentsConnections.layer))
    )
  )
})
