// A counter that a request sets going, and a pulse at its end. The first assertion holds, the second does not.
module pulse(input clk, input request, output pulse);
  reg [3:0] ticks = 0;
  assign pulse = ticks == 9;
  always @(posedge clk) begin
    if (pulse) ticks <= 0;
    else if (request || ticks != 0) ticks <= ticks + 1;
    in_range: assert (ticks <= 9);
    never_pulse: assert (!pulse);
  end
endmodule
