import * as texts from '@deeb/texts/site'

const QUESTIONS = [
  { question: texts.gdprQuestion, answer: texts.gdprAnswer },
  { question: texts.trackedQuestion, answer: texts.trackedAnswer },
  { question: texts.logQuestion, answer: texts.logAnswer },
  { question: texts.remoteQuestion, answer: texts.remoteAnswer },
  { question: texts.onboardingQuestion, answer: texts.onboardingAnswer },
]

export function Questions() {
  return (
    <section className="page section columns-4-8">
      <h2 className="heading questions-heading">{texts.questions()}</h2>
      <div className="questions">
        {QUESTIONS.map(({ question, answer }, index) => (
          <details key={question()} open={index === 0} className="question">
            <summary>
              <h3>{question()}</h3>
            </summary>
            <p>{answer()}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
