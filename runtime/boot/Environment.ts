import { ConfigProvider, Effect, type Layer } from "effect"

/** The environment as every command reads it: an empty text is told from none. */
export const environment: Layer.Layer<never> = ConfigProvider.layer(
  Effect.sync(() => ConfigProvider.fromEnv({ preserveEmptyStrings: true }))
)
