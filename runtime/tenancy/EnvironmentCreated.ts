import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context } from "effect"

/** An environment about to be made, in the commit of its project. */
export interface NewEnvironment {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly kind: EnvironmentKind
  /** Epoch milliseconds; also its `created_at`. */
  readonly at: number
}

/**
 * What other rooms put into a new environment (a sandbox number, templates). Their rows are written in the very commit
 * that makes the environment, or not at all.
 */
export const EnvironmentCreated = Context.Reference<ReadonlyArray<(environment: NewEnvironment) => ReadonlyArray<Row>>>(
  "@carteiro/runtime/tenancy/EnvironmentCreated",
  { defaultValue: () => [] }
)
