import { subjects } from "../steps/subjects";
import { triedObject } from "./lives";
import { courseOf } from "./course";
import { faults } from "./faults";
test.each([["mesh:Mesh","update",1,"a stranger's edit just before",2,"403 in mid-operation"],["scheduler:Job","update, way 2",1,"a stranger's edit just after",2,"200 with another object, not carried out"]])("%s", async (token,name,a1,f1,a2,f2) => {
  const [, subject] = subjects.find(([t]) => t === token)!;
  const tried = await triedObject(subject);
  const lives = await tried.lives();
  const life = lives.find((l: any) => l.name === name)!;
  const F = (n: string) => faults.find((f) => f.name === n)!;
  const course: any = await courseOf(tried, life, { at: a1 as number, fault: F(f1 as string) }, { at: a2 as number, fault: F(f2 as string) });
  console.log(JSON.stringify([life.program, (life as any).managed, life.edit]).slice(0,1500), "\n", course.requests.map((r: any) => `${r.method} ${r.target} ${r.body} ${r.carriedOut} ${r.isDone}`).join("\n"),"\nLATER\n",course.later.map((r: any) => `${r.method} ${r.target} ${r.body} ${r.carriedOut} ${r.isDone}`).join("\n"), String(course.told), course.logged, JSON.stringify({moved: [...(course.stranger.moved??[])], shown: course.stranger.isShown, due: course.due}), course.end.isQuiet);
});
