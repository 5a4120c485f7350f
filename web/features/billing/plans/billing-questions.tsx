import {
  Accordion,
  AccordionHeader,
  AccordionItem,
  AccordionPanel,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components'

const useStyles = makeStyles({
  list: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' },
  item: { borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  question: {
    '> button': {
      minHeight: '52px',
      paddingLeft: 0,
      paddingRight: 0,
      fontSize: tokens.fontSizeBase300,
      fontWeight: tokens.fontWeightSemibold,
    },
  },
  answer: { display: 'block', maxWidth: '68ch', padding: '0 0 16px', color: tokens.colorNeutralForeground2 },
})

const questions = [
  [
    'Can I change my plan later?',
    'Yes, at any time. Changes take effect on the next billing cycle. When you upgrade, the additional features are available immediately.',
  ],
  [
    'Is our data secure?',
    'Yes. Everchart is HIPAA compliant: health data is encrypted, and every change and every access is recorded.',
  ],
  [
    'Which payment methods do you accept?',
    'All major credit and debit cards, through a payment provider. Your card is stored there, never by us.',
  ],
] as const

/** Frequent questions about billing. Several answers can be open at once. */
export function BillingQuestions({ heading }: { heading: 'h2' | 'h3' }) {
  const styles = useStyles()
  return (
    <Accordion multiple collapsible className={styles.list}>
      {questions.map(([question, answer]) => (
        <AccordionItem key={question} value={question} className={styles.item}>
          <AccordionHeader as={heading} expandIconPosition="end" className={styles.question}>
            {question}
          </AccordionHeader>
          <AccordionPanel>
            <Text className={styles.answer}>{answer}</Text>
          </AccordionPanel>
        </AccordionItem>
      ))}
    </Accordion>
  )
}
