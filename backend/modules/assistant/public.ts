import * as rules from './analyze-by-rules.ts'

/** Analyzes the answers of a form by rules, without a model. */
export const analyzeByRules = rules.analyzeByRules
