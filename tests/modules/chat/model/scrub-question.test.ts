import { describe, expect, it } from 'vitest'
import { listWords, scrubQuestion } from '#modules/chat/model/scrub-question.ts'

const chen = { id: 'chen', name: 'Dr. Amara Chen' }
const chenJunior = { id: 'junior', name: 'Ben Chen' }
const patients = new Set(['maria', 'alvarez', 'may', "o'brien", 'silva'])
const scrub = (message: string) =>
  scrubQuestion(message, (word) => patients.has(word.toLowerCase()), [chen, chenJunior])

describe('a question', () => {
  it.each<[message: string, text: string, people: string[]]>([
    ['is the clinic overbooked on Friday?', 'is the clinic overbooked on Friday?', []],
    ['did maria alvarez ever turn up', 'did Person 1 ever turn up', ['maria alvarez']],
    ["what bothers Maria Alvarez's knee", 'what bothers Person 1 knee', ['Maria Alvarez']],
    ['does Zbigniew Kowalski owe us, or silva', 'does Person 1 owe us, or Person 2', ['Zbigniew Kowalski', 'silva']],
    ['how crowded is a Monday in December', 'how crowded is a Monday in December', []],
    ['call 617 555 0123 or a.b@example.test', 'call [removed] or [removed]', []],
    ['born on 03/14/1978', 'born on [removed]', []],
    ['IS THE CLINIC OVERBOOKED TODAY', 'IS THE CLINIC OVERBOOKED TODAY', []],
    ['DID MARIA ALVAREZ TURN UP', 'DID Person 1 TURN UP', ['MARIA ALVAREZ']],
    ['maria, and silva', 'Person 1, and Person 2', ['maria', 'silva']],
    ['maria, alvarez', 'Person 1, Person 2', ['maria', 'alvarez']],
    // Half of the words have a capital letter, which still says something.
    ['does Grace Hopper come', 'does Person 1 come', ['Grace Hopper']],
    ['who Comes', 'who Person 1', ['Comes']],
    ['Overbooked today?', 'Overbooked today?', []],
  ])('loses its names: %s', (message, text, people) => {
    expect(scrub(message)).toEqual({ text, people, providers: [] })
  })

  it.each<[message: string, text: string, providers: string[][]]>([
    ['is Chen overbooked', 'is Provider 1 overbooked', [['chen', 'junior']]],
    ['is Amara Chen overbooked', 'is Provider 1 overbooked', [['chen']]],
    ['is dr chen overbooked', 'is dr Provider 1 overbooked', [['chen', 'junior']]],
    ['is Chen Amara overbooked', 'is Provider 1 overbooked', [['chen']]],
    ["is Chen's day full", 'is Provider 1 day full', [['chen', 'junior']]],
    ['is Chen, Ben overbooked', 'is Provider 1, Provider 2 overbooked', [['chen', 'junior'], ['junior']]],
  ])('loses the names of providers: %s', (message, text, providers) => {
    expect(scrub(message)).toEqual({ text, people: [], providers })
  })

  it('tells patients from providers that stand side by side', () => {
    expect(scrub('has maria Chen time')).toEqual({
      text: 'has Person 1 Provider 1 time',
      people: ['maria'],
      providers: [['chen', 'junior']],
    })
  })

  it('is read in part when it is very long', () => {
    expect(scrub(`how busy ${'x'.repeat(5_000)}`).text).toHaveLength(500)
    expect(listWords('who, who? O’Brien')).toEqual(['who', 'O’Brien'])
  })
})
