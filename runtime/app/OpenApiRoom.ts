import { ErrorsHttp, OpenApiHttp } from "@carteiro/openapi/Routes.ts"
import { Layer } from "effect"
import { defineRoom } from "../room/Room.ts"

/** `/openapi.json`, `/docs` and the manifest. */
export const room = defineRoom({ name: "openapi", routes: Layer.merge(OpenApiHttp, ErrorsHttp) })
