import { z } from 'zod'

/*
 * Before any schema is built: each object schema would otherwise try whether it may compile itself with `eval`, which the content security
 * policy refuses and the browser reports.
 */
z.config({ jitless: true })
