import { confirmationPages } from '#contracts/confirmations.ts'
import { SurveyId } from '#contracts/values/ids.ts'
import { createSignedTokens } from '#modules/kit/signed-tokens.ts'

type Dependencies = {
  keyedHash: (purpose: string, value: string) => string
  /** The address that users open, without a trailing slash. */
  address: string
}

/** Creates and reads the links of surveys. Their tokens are signed and name no patient. */
export function createSurveyLinks({ keyedHash, address }: Dependencies) {
  const tokens = createSignedTokens(keyedHash, 'satisfaction survey')
  return {
    createUrl: (surveyId: SurveyId) => address + confirmationPages.survey.replace(':token', tokens.create(surveyId)),
    /** Returns the survey of a link; null for a token that was not signed here. */
    parseToken(token: string): SurveyId | null {
      const fields = tokens.parse(token)
      return fields && SurveyId.parse(fields[0])
    },
  }
}
