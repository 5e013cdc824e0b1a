import { Layer } from "effect"
import { ApiKeysHttp } from "./ApiKeysHttp.ts"
import { DeliveriesHttp } from "./DeliveriesHttp.ts"
import { DeviceHttp } from "./DeviceHttp.ts"
import { FeedbackHttp } from "./FeedbackHttp.ts"
import { MemberHttp } from "./MemberHttp.ts"
import { MembersHttp } from "./MembersHttp.ts"
import { NotFoundHttp } from "./NotFoundHttp.ts"
import { OverviewHttp } from "./OverviewHttp.ts"
import { ProjectHttp } from "./ProjectHttp.ts"
import { ProjectsHttp } from "./ProjectsHttp.ts"
import { SessionRepo } from "./SessionRepo.ts"
import { SessionsLayer } from "./SessionsLayer.ts"
import { SignInHttp } from "./SignInHttp.ts"
import { SignInLayer } from "./SignInLayer.ts"
import { StyleHttp } from "./StyleHttp.ts"
import { WebhooksHttp } from "./WebhooksHttp.ts"

export { SignIn } from "./SignIn.ts"

/** Sign-in links, for the seed and the operator's commands. */
export const servicesLayer = SignInLayer.pipe(Layer.provide(SessionRepo.layer))

/** Every page under `/dashboard`; needs the services of access, projects, feedback and webhooks. */
export const layer = Layer.mergeAll(
  StyleHttp,
  SignInHttp,
  OverviewHttp,
  DeviceHttp,
  ApiKeysHttp,
  ProjectsHttp,
  ProjectHttp,
  WebhooksHttp,
  DeliveriesHttp,
  FeedbackHttp,
  MembersHttp,
  MemberHttp,
  NotFoundHttp
).pipe(Layer.provide(SessionsLayer), Layer.provide(SessionRepo.layer), Layer.provideMerge(servicesLayer))
