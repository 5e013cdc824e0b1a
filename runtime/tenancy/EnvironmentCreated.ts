import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context } from "effect"

/** A new environment, in the commit of its project. */
export interface NewEnvironment {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly kind: EnvironmentKind
  /** Epoch milliseconds; also its `created_at`. */
  readonly at: number
}

/**
 * The content that other rooms add to a new environment (a sandbox number, templates). Their rows are part of the
 * commit that creates the environment.
 */
export const EnvironmentCreated = Context.Reference<ReadonlyArray<(environment: NewEnvironment) => ReadonlyArray<Row>>>(
  "@carteiro/runtime/tenancy/EnvironmentCreated",
  { defaultValue: () => [] }
)
