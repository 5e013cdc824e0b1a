import type { Calls } from "@carteiro/outbound/Calls.ts"
import { PixProviders } from "@carteiro/provider/payments/PixProvider.ts"
import { makePixApi } from "@carteiro/provider-pix-api/PixApi.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { bankCertificates } from "@carteiro/simulators/pix-api/TestCertificates.ts"
import { Effect, Layer } from "effect"
import { vendorCalls } from "../support/Vendors.ts"

/** The one adapter of the central bank's standard, over these calls. */
export const institutionsOver = (calls: Layer.Layer<Calls>) =>
  Layer.effect(
    PixProviders,
    Effect.map(makePixApi({}), (standard) => ({ "pix-api": standard }))
  ).pipe(Layer.provide(calls))

/** The same where no institution answers. */
export const institutions = institutionsOver(vendorCalls())

const certificateOf = ({ clientPkcs12, password }: ReturnType<typeof bankCertificates>) => ({
  certificate_pkcs12_base64: clientPkcs12.toString("base64"),
  certificate_password: password
})

/** Another certificate for the account, as an institution issues it before the first one ends. */
export const laterCertificate = certificateOf(bankCertificates(vendorClock()))

/** Credentials of an account at an institution, as the setup takes them. */
export const institutionCredentials = {
  driver: "pix-api",
  base_url: "https://pix.example.com/api",
  client_id: "client-of-the-shop",
  client_secret: "secret-of-the-shop",
  ...certificateOf(bankCertificates(vendorClock())),
  pix_key: "shop@example.com"
}
