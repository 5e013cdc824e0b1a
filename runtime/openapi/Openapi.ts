import { OpenApiHttp } from "./OpenApiHttp.ts"

/** The contract described: `/openapi.json`, `/docs`, the manifest and the public health routes. */
export const layer = OpenApiHttp
