import type { FindingSeverity } from '#contracts/values/forms.ts'
import type { FormText, Topic } from './form-texts.ts'
import { findMentions, type Mention, toEvidence } from './mentions.ts'
import { createFinding, type Outcome, type Rule } from './rule.ts'

type RedFlag = {
  /** The symptom, as in "Mentions chest pain". */
  name: string
  severity: FindingSeverity
  phrases: RegExp
  followUpQuestion: string
  suggestedAction: string
  /** True when it is as severe when the sentence is about an earlier time. */
  isTimeless?: true
}

const callNow = 'Call the patient now; advise 911 if it is happening at present'
const callToday = 'Call the patient today'

const my = '(?:my |the |his |her )?'

/** Joins alternatives to one pattern of whole words. */
const anyOf = (...alternatives: readonly string[]) => new RegExp(String.raw`\b(?:${alternatives.join('|')})\b`, 'gi')

/**
 * Symptoms to act on before the appointment. Sources: warning signs of heart attack and stroke (American Heart Association); headache
 * and bleeding (MedlinePlus, when to call 911); coughing blood and weight loss (NICE NG12); numbness between the legs (NICE CKS, Sciatica).
 */
const redFlags: readonly RedFlag[] = [
  {
    name: 'chest pain',
    severity: 'urgent',
    phrases: anyOf(
      'chest[- ](?:pains?|pressure|tightness|discomfort)',
      `(?:pains?|pressure|tightness|tight feeling|squeezing|heaviness|ache|aching|burning|hurts?) (?:in|on|across|over) (?:the (?:middle|center|left side) of )?${my}chest`,
      'chest (?:really |often |sometimes |always )?(?:hurts?|aches|feels (?:tight|heavy)|is (?:tight|hurting))',
      'tight chest',
    ),
    followUpQuestion: 'When did the chest pain start, what brings it on, and does it spread to the arm, jaw or back?',
    suggestedAction: callNow,
  },
  {
    name: 'shortness of breath',
    severity: 'urgent',
    phrases: anyOf(
      'short(?:ness)? of breath',
      'out of breath',
      'breathless(?:ness)?',
      '(?:trouble|difficulty|problems?|hard time) breathing',
      'hard (?:for me )?to breathe',
      "(?:cannot|can't|can not|could not|couldn't) (?:breathe|catch my breath|get (?:any|enough) air)",
      'struggl(?:e|es|ed|ing) (?:to breathe|for (?:breath|air))',
      'gasp(?:ing)? for (?:breath|air)',
    ),
    followUpQuestion: 'When are you short of breath: at rest, lying down, or with effort? Since when?',
    suggestedAction: callNow,
  },
  {
    name: 'fainting',
    severity: 'urgent',
    phrases: anyOf(
      'fainted',
      'fainting',
      'faint(?= (?:when|if|at|after|every|sometimes|from time))',
      '(?:i|often|almost|nearly) faint(?! \\w*\\s?(?:rash|line|mark|smell))',
      '(?:feel|feels|felt|feeling) faint',
      'pass(?:ed|ing|es)? out',
      'black(?:ed|ing|s)? out',
      'blackouts?',
      '(?:lost|lose|losing|loss of) consciousness',
      'collapsed',
    ),
    followUpQuestion: 'What were you doing before you fainted, how often has it happened, and were you hurt?',
    suggestedAction: callToday,
  },
  {
    name: 'suicidal thoughts or self-harm',
    severity: 'urgent',
    isTimeless: true,
    phrases: anyOf(
      'suicid(?:e|al)',
      'kill(?:ing)? myself',
      'end(?:ing)? (?:my life|it all)',
      '(?:harm|cut)(?:ing)? myself on purpose',
      'harm(?:ing)? myself',
      '(?:thoughts? (?:of|about)|think(?:ing)? (?:of|about)|thought (?:of|about)|wants? to|wanted to|wanting to|urges? to|plan(?:ning)? to|feel like) (?:hurt|harm|cut)(?:t?ing)? myself',
      'self[- ]harm(?:ing)?',
      'better off (?:dead|without me)',
      'wish(?:ed)? (?:that )?i (?:was|were) (?:dead|not here|never born)',
      'want(?:ed)? to die',
      "(?:do not|don't|did not|didn't) want to (?:live|be alive|wake up)(?= anymore| any more| any longer|\\s*[.,;!]|\\s*$| again)",
      'no reason to live',
      "(?:not|isn't) worth living",
      'tired of living',
    ),
    followUpQuestion: 'Are you safe right now? Have you thought about how you would do it?',
    suggestedAction:
      'Call the patient now; give the 988 Suicide & Crisis Lifeline, and do not leave it to the appointment',
  },
  {
    name: 'sudden weakness, numbness or trouble with speech',
    severity: 'urgent',
    phrases: anyOf(
      'sudden(?:ly)?,? (?:\\w+ ){0,4}(?:weak(?:ness)?|numb(?:ness)?|paraly[sz]ed)',
      'slurr(?:ed|ing|y)(?: my)? (?:speech|words)',
      'speech (?:\\w+ ){0,2}(?:slurred|slurs)',
      '(?:trouble|difficulty|problems?) (?:speaking|finding (?:the )?words|getting (?:my )?words out)',
      "(?:could not|couldn't|cannot|can't|can not) (?:speak(?= properly| clearly|\\s*[.,;!]|\\s*$| for (?:a|some|\\d|ten|five))|get (?:my|the) words out|find (?:my|the) words)",
      `(?:one side|half|the left side|the right side|left side|right side) of ${my}(?:body|face) (?:\\w+ ){0,2}(?:numb|weak|droop\\w*|dropped)`,
      `(?:arm|leg|hand|face) (?:suddenly )?(?:went|goes|has gone) (?:\\w+ )?(?:numb|weak|limp)`,
      'face (?:\\w+ )?(?:droop(?:s|ed|ing)?|dropped|hung)',
      'droop(?:ing|y) (?:face|mouth)',
    ),
    followUpQuestion: 'When exactly did the weakness or trouble with speech start, and has it gone away?',
    suggestedAction: callNow,
  },
  {
    name: 'blood in stool, vomit or urine',
    severity: 'urgent',
    phrases: anyOf(
      `blood (?:in|on|with) (?:my |the )?(?:stools?|poop|bowel movements?|toilet(?: paper| bowl)?|vomit|urine|pee|wee)`,
      'bloody (?:stools?|diarrhea|urine|vomit|poop)',
      'tarry(?: black)? (?:stools?|poop)',
      '(?:stools?|poop) (?:is|are|was|were|looks?|turned) (?:black and )?(?:tarry|bloody)',
      '(?:vomit(?:ed|ing)?|thr(?:ow|ew|owing) up|thrown up) (?:some |a little |bright red |dark )*blood',
      'coffee[- ]grounds? vomit',
      '(?:pee(?:d|ing)?|urinat(?:e|ed|ing)|pass(?:ed|ing)?) (?:some |a little )?blood',
      'rectal bleeding',
    ),
    followUpQuestion: 'How much blood is it, what color, and since when? Do you feel dizzy?',
    suggestedAction: callToday,
  },
  {
    name: 'coughing blood',
    severity: 'urgent',
    phrases: anyOf(
      'cough(?:ed|ing|s)? (?:up )?(?:some |a little |a bit of |bits of |bright |red |fresh )*blood',
      "blood when (?:i |i am |i'm )?cough(?:ing)?",
      'bloody (?:sputum|phlegm|mucus)',
      'blood in (?:my |the )?(?:sputum|phlegm|spit|mucus)',
    ),
    followUpQuestion: 'How much blood do you cough up, and since when? Do you have a fever or chest pain?',
    suggestedAction: callToday,
  },
  {
    name: 'a sudden or worst headache',
    severity: 'urgent',
    phrases: anyOf(
      'worst headache',
      'headaches?(?: \\w+){0,4},? (?:the )?worst (?:of|in) my life',
      'worst pain in my head',
      'thunderclap headaches?',
      'sudden(?:,|ly)? (?:and |a |an |very |extremely |really )*(?:severe|terrible|violent|explosive) headache',
    ),
    followUpQuestion: 'Did the headache reach its peak within a minute? Is your neck stiff, or your sight changed?',
    suggestedAction: callNow,
  },
  {
    name: 'sudden loss of sight',
    severity: 'urgent',
    phrases: anyOf(
      'sudden(?:ly)? (?:\\w+ ){0,3}(?:blind(?:ness)?|loss of (?:sight|vision)|vision loss)',
      '(?:lost|lose|losing) (?:my |the )?(?:sight|vision)',
      "(?:could not|couldn't|cannot|can't) see (?:anything )?(?:out of|with|in) (?:one|my left|my right) eye",
    ),
    followUpQuestion: 'In which eye, when did it start, and has your sight come back?',
    suggestedAction: callNow,
  },
  {
    name: 'swelling of the throat or tongue',
    severity: 'urgent',
    phrases: anyOf(
      '(?:throat|tongue) (?:\\w+ ){0,2}(?:swell(?:s|ing)?|swelled|swollen|closing|closes|closed up)',
      '(?:swollen|swelling of (?:my |the )?) ?(?:throat|tongue)',
    ),
    followUpQuestion: 'What had you eaten or taken before the swelling, and can you breathe and swallow well now?',
    suggestedAction: callNow,
  },
  {
    name: 'numbness between the legs or loss of control over bladder or bowel',
    severity: 'urgent',
    phrases: anyOf(
      `numb(?:ness)? (?:\\w+ )?(?:in|around|between) ${my}(?:groin|legs|buttocks|private parts|saddle)`,
      '(?:lost|lose|losing|loss of|no) control (?:of|over) (?:my |the )?(?:bladder|bowels?)',
    ),
    followUpQuestion: 'Since when, and do you have back pain or weakness in the legs?',
    suggestedAction: callNow,
  },
  {
    name: 'unexplained weight loss',
    severity: 'attention',
    phrases: anyOf(
      '(?:unexplained|unintended|unintentional|unwanted) weight loss',
      'weight loss (?:without|for no)(?: (?:trying|any|reason|diet\\w*|an?|explanation|cause))*',
      "los(?:t|e|ing) (?:\\w+ ){0,4}(?:weight|pounds|lbs?|kg|kilos?)(?: \\w+){0,6},? (?:without (?:trying|dieting|meaning|wanting|any|a reason|changing)|for no reason|not (?:trying|dieting)|(?:and|but) i (?:do not|don't|am not|'m not|have not|haven't) (?:know why|dieting|trying|changed))",
      "(?:without|not) trying,? i (?:have |'ve )?lost (?:\\w+ ){0,4}(?:weight|pounds|lbs?|kg|kilos?)",
      'keep losing weight',
    ),
    followUpQuestion: 'How much weight have you lost, and since when? Is your appetite as before?',
    suggestedAction: 'Weigh the patient and compare with earlier weights',
  },
  {
    name: 'violence or not being safe at home',
    severity: 'urgent',
    phrases: anyOf(
      "(?:not|never|don't|doesn't|didn't)(?: really| always)? (?:feel |feeling )?safe (?:at home|in my (?:home|relationship|marriage))",
      'unsafe (?:at home|in my (?:home|relationship|marriage))',
      '(?:husband|wife|partner|boyfriend|girlfriend|he|she) (?:hits|beats|kicks|chokes|strangle[sd]|hit|beat|choked|threatens) me',
    ),
    followUpQuestion: 'Ask only when the patient is alone: do you feel safe at home?',
    suggestedAction: 'Speak with the patient alone, and send nothing about this to the home address',
  },
]

/** Topics of texts whose symptoms are those of relatives, of an old reaction, or of a person who is not the patient. */
const ignored: readonly Topic[] = ['family', 'allergies', 'reactions', 'procedure', 'administrative']

function describeMentions({ name, severity, isTimeless }: RedFlag, mentions: readonly Mention[]): Outcome['finding'] {
  const isPast = !isTimeless && mentions.every((mention) => mention.isPast)
  const evidence = mentions.map(toEvidence)
  return isPast
    ? createFinding('attention', `Mentions ${name} at an earlier time`, evidence)
    : createFinding(severity, `Mentions ${name}`, evidence)
}

/** Finds what the texts mention with a pattern, except where a symptom is not one of the patient. */
export const findSymptoms = (texts: readonly FormText[], phrases: RegExp): Mention[] =>
  texts.filter(({ topic }) => !ignored.includes(topic)).flatMap((text) => findMentions(text, phrases))

export const findRedFlags: Rule = ({ texts }) =>
  redFlags.flatMap((flag): Outcome[] => {
    const mentions = findSymptoms(texts, flag.phrases)
    if (mentions.length === 0) return []
    const { followUpQuestion, suggestedAction } = flag
    return [{ finding: describeMentions(flag, mentions), followUpQuestion, suggestedAction }]
  })
