/* asked - the answer to a question of many passes (headlight.h, "interventions") about the text of a session.
 */

/** Its steps in the order of `order`, or all at once. */
export function asked(session, question, order) {
    const steps = session.interveneBegin(question);
    for (const step of order?.(steps) ?? []) session.interveneStep(step, 1);
    if (!order) session.interveneStep(0, steps);
    return JSON.parse(session.interveneAnswer({}));
}
