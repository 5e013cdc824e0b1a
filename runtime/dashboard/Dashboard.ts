import { Layer } from "effect"
import { SessionRepo } from "./SessionRepo.ts"
import { SignInLayer } from "./SignInLayer.ts"

export { SignIn } from "./SignIn.ts"

/** Sign-in links, for the seed and the operator's commands. */
export const servicesLayer = SignInLayer.pipe(Layer.provide(SessionRepo.layer))
