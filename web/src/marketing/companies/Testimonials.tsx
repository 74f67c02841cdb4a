import { TESTIMONIALS } from './testimonials.ts'

export function Testimonials() {
  return (
    <section className="page section" aria-labelledby="testimonials">
      <h2 id="testimonials" className="sr-only">
        what people say
      </h2>
      <div className="testimonials">
        {TESTIMONIALS.map(({ words, role, isExample }) => (
          <figure key={role} className="testimonial">
            <blockquote className="quote">“{words}”</blockquote>
            <figcaption className="small">
              {role} {isExample ? <span className="testimonial-example">example</span> : null}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}
